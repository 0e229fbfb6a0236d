package graph

import (
	"github.com/dop251/goja"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/dom"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/fast"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/guard"
	"github.com/scxmlrun/scxmlrun/datamodel/ecmascript/internal/native"
)

// A World is a runtime, with what saving and loading its data needs of the session
// that it belongs to.
type World struct {
	Session
	VM      *goja.Runtime
	Lib     *native.Library
	Guards  *guard.Guards
	Items   *fast.Items
	Natives map[string]*goja.Object // functions of the host
	Data    goja.Value              // of the present event, nil if no script has looked at it
}

// A Session knows its code and its system variables.
type Session interface {
	Window() *dom.Window
	// SetProperty gives the new object o a property.
	SetProperty(o *goja.Object, key string, v goja.Value)

	// HasRun reports whether code may have left something behind.
	HasRun(Code) bool
	// Admit is for what code made when it ran, and AdmitNames for what is reached by
	// names of the library, as if code had spelled them.
	Admit(Code)
	AdmitNames([]string)

	// System returns what an object is to the system variables, or nil.
	System(o *goja.Object) *System
	// SystemVariable returns the value of a system variable or In.
	SystemVariable(name string) goja.Value
	// PresentEvent returns _event, and where its data is kept, or nil if there is
	// none. NewEvent makes another event.
	PresentEvent() (o *goja.Object, data *goja.Value)
	NewEvent(ev *datamodel.Event) (o *goja.Object, data *goja.Value)
}

// A System is an object that belongs to the system variables.
type System struct {
	Variable  string // whose value it is
	Processor string // whose entry in _ioprocessors it is

	Event   *datamodel.Event // that it is
	Present bool             // the event is the present one
	Data    goja.Value       // of the event
}
