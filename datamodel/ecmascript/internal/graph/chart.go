package graph

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/dom"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/fast"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/syntax"
)

// Code is a compiled piece of a chart.
type Code interface {
	Tree() *syntax.Tree
}

// A Chart is what saving and loading need to know of the text of a chart.
type Chart struct {
	byText  map[string]*function
	byKey   map[string]*function // those that can be made again
	scripts []script

	// odd says that properties may be accessors or have unusual attributes, or that objects may be
	// frozen, so that each must be examined.
	odd bool
	// symbols says that the keys of properties may be symbols.
	symbols bool
	// library says that objects of the library may have been changed.
	library bool
	// shadows are the names of the library that the chart gives to something else, in order.
	shadows []string
}

// A function is one of the chart.
type function struct {
	*syntax.Function
	owner Code
	key   string // unique in the chart
}

// A script is one with declarations at its top level.
type script struct {
	Code
	*syntax.Declarations
}

// NewChart examines all code of a chart.
func NewChart(all []Code) *Chart {
	c := &Chart{byText: map[string]*function{}, byKey: map[string]*function{}}
	shadows := map[string]bool{}
	for _, code := range all {
		tree := code.Tree()
		facts := tree.Facts
		c.odd = c.odd || facts&syntax.Odd != 0
		c.library = c.library || facts&syntax.Library != 0
		c.symbols = c.symbols || facts&syntax.Symbols != 0
		if facts&(syntax.Keeps|syntax.Changes) == 0 && tree.X != nil {
			continue
		}
		found := tree.Declarations()
		for _, f := range found.Functions {
			c.add(&function{Function: f, owner: code})
		}
		names := found.Assigned
		if tree.X == nil && (len(found.Lexical) > 0 || len(found.Vars) > 0) {
			c.scripts = append(c.scripts, script{code, found})
			for name := range found.Vars {
				names = append(names, name)
			}
		}
		for _, name := range names {
			name, member := strings.CutSuffix(name, ".")
			switch {
			case !native.Builtins()[name]:
			case member:
				c.library = true
			default:
				shadows[name] = true
			}
		}
	}
	for name := range shadows {
		c.shadows = append(c.shadows, name)
	}
	slices.Sort(c.shadows)
	c.enterKeys()
	return c
}

// add enters a function. Functions with the same text cannot be told apart, so it must not matter
// which one it is.
func (c *Chart) add(f *function) {
	have := c.byText[f.Text]
	switch {
	case have == nil:
		c.byText[f.Text] = f
	case have.Captures == "" && (f.Captures != "" || !f.Same(have.Function)):
		c.byText[f.Text] = f
		if f.Captures == "" {
			f.Captures = "has the same text as another one"
		}
	}
}

// enterKeys gives each function a key that survives changes elsewhere in the chart: its name if
// that is unique, otherwise with a hash of its text.
func (c *Chart) enterKeys() {
	named := map[string]int{}
	for _, f := range c.byText {
		named[f.Name]++
	}
	for _, f := range c.byText {
		if f.Captures != "" {
			continue
		}
		if f.key = f.Name; f.Name == "" || named[f.Name] > 1 {
			h := fnv.New64a()
			_, _ = h.Write([]byte(f.Text))
			f.key += "#" + strconv.FormatUint(h.Sum64(), 36)
		}
		if c.byKey[f.key] != nil {
			f.Captures = "cannot be told from another one"
			continue
		}
		c.byKey[f.key] = f
	}
}

// A World is a runtime, with what saving and loading its data need of its session.
type World struct {
	Session
	VM      *goja.Runtime
	Lib     *native.Library
	Items   *fast.Items
	Natives *fast.Functions // of the host
	Data    goja.Value      // of the present event; nil if no script has looked at it
	Names   *[]string       // of the variables that can have to be saved; nil if they must be looked up
}

// A Session knows its code and its system variables.
type Session interface {
	Window() *dom.Window
	// SetProperty gives the new object o a property.
	SetProperty(o *goja.Object, key string, v goja.Value)

	// HasRun reports whether code has run that may have created functions or variables.
	HasRun(Code) bool
	// Admit prepares for what code made when it ran, and AdmitNames for objects of the library with
	// these names.
	Admit(Code)
	AdmitNames([]string)

	// System describes an object of the system variables. It returns nil for others.
	System(o *goja.Object) *System
	// SystemVariable returns the value of a system variable or In.
	SystemVariable(name string) goja.Value
	// PresentEvent returns _event, and where its data is kept, or nil. NewEvent makes another
	// event.
	PresentEvent() (o *goja.Object, data *goja.Value)
	NewEvent(ev *datamodel.Event) (o *goja.Object, data *goja.Value)
}

// A System is an object that belongs to the system variables.
type System struct {
	Variable  string // that has it as its value
	Processor string // whose entry in _ioprocessors it is

	Event   *datamodel.Event  // that it is
	Present bool              // the event is the present one
	Data    func() goja.Value // returns the data of the event
}
