// Package doc turns an SCXML document into a checked document model: plain structs that stay close
// to the text and have the position of everything. It reports all problems of a document at once,
// as diagnostics.
//
// Expressions are source text in the model. The package that uses the model compiles them.
package doc

import (
	"encoding/xml"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/xmltree"
)

// Namespace is the XML namespace of SCXML.
const Namespace = "http://www.w3.org/2005/07/scxml"

// A Document is one <scxml> element. In a Document without errors, all references are resolved and
// all state sets are legal. A Document with errors is for tools. It holds what could be read, and
// the fields Open, Stray and Guesses mark where the author may have meant something else.
type Document struct {
	File      string
	Source    string // the text that positions refer to; "" for a computed document
	Name      string // attribute name
	Datamodel string // attribute datamodel; "ecmascript" without one
	Late      bool   // binding="late"
	Scripts   []*Script
	Root      *State
	States    []*State // every state, parallel, final and history in document order; Root is States[0]
	// ByID holds the states that have an id.
	ByID map[string]*State
	// Hash is the SHA-256 of the source and of all files that it loads. It is nil
	// for a document that is part of another, or was computed.
	Hash []byte
	// Refused holds the ids of the elements that were skipped because of an error.
	Refused map[string]bool
}

// A StateKind says which element a [State] is.
type StateKind uint8

const (
	Scxml StateKind = iota
	Atomic
	Compound
	Parallel
	Final
	History
)

// String returns the name of the element.
func (k StateKind) String() string {
	return [...]string{"scxml", "state", "state", "parallel", "final", "history"}[k]
}

// A State is a <scxml>, <state>, <parallel>, <final> or <history> element.
type State struct {
	Kind     StateKind
	Index    int    // in Document.States
	ID       string // "" without one
	Go       *Extension
	Pos      datamodel.Position
	Parent   *State
	Children []*State // in document order, histories included

	// Initial is the default transition of a compound state or <scxml>: to the
	// states of its attribute initial, or that of its <initial>, or, without
	// either, to its first child in document order.
	Initial *Transition

	Deep        bool          // of a history
	Transitions []*Transition // of a history: exactly one, its default
	OnEntry     []*Block
	OnExit      []*Block
	Data        []*Data
	Invokes     []*Invoke
	Donedata    *Donedata

	// Stray is true for a state in a wrong place. Its Parent is the nearest state around it.
	Stray bool
	// Open is true for a state that contains an element that could not be read, so that children
	// and transitions may be missing here.
	Open bool
}

// A Transition is a <transition>, the one in <initial> or <history> included, or an attribute
// initial.
type Transition struct {
	Pos      datamodel.Position
	Source   *State
	Index    int      // among all <transition> elements in document order; -1 for one that is not an element
	Events   []string // descriptors as written; nil: eventless
	Cond     *datamodel.Source
	Targets  []*State // nil: targetless
	Internal bool
	Body     []Exec

	// Stray is true for a transition in a wrong place, or a second one where only one is allowed.
	// Its Source is the nearest state around it.
	Stray bool
	// Guesses are the states that unknown targets perhaps mean, or targets that cannot be entered
	// together.
	Guesses []*State
	// Open is true for a transition that may lead anywhere, because its targets are wrong and it is
	// not clear what they mean.
	Open bool
	// AnyEvent is true for a transition that may be for any event, because a descriptor is illegal
	// or hardly intended.
	AnyEvent bool

	element *xmltree.Element // nil if Index is -1
}

// EventPos returns the place of Events[n].
func (t *Transition) EventPos(n int) datamodel.Position {
	places := t.element.Source(t.element.Attr("event")).Places()
	for offset := range words(t.element.Attr("event").Value) {
		if n--; n < 0 {
			return places.At(offset)
		}
	}
	return t.Pos
}

// A Block is an <onentry>, <onexit> or <finalize>.
type Block struct {
	Pos  datamodel.Position
	Body []Exec
}

// A Data is a <data> element. At most one of Expr and Content is set.
type Data struct {
	Pos     datamodel.Position
	ID      string
	Go      *Extension
	Type    *Extension
	Expr    *datamodel.Source
	Content *datamodel.Source // inline content, or the contents of the file Src
	Src     string
	LoadErr error // why Src cannot be loaded: error.execution when the item is initialised (REC 5.3)
	State   *State
}

// A Donedata is a <donedata>, with params or content.
type Donedata struct {
	Pos     datamodel.Position
	Params  []*Param
	Content *Content
}

// A Param is a <param>. At most one of Expr and Location is set. If neither is, the value is
// undefined.
type Param struct {
	Pos      datamodel.Position
	Name     string
	Expr     *datamodel.Source
	Location *datamodel.Source
}

// A Content is a <content>. Exactly one of Expr and Inline is set.
type Content struct {
	Pos    datamodel.Position
	Expr   *datamodel.Source
	Inline *datamodel.Source

	scxml *xmltree.Element // set if Inline is one <scxml> element
}

// Exec is a piece of executable content (REC 4).
type Exec interface{ Position() datamodel.Position }

type execPos struct{ Pos datamodel.Position }

func (p execPos) Position() datamodel.Position { return p.Pos }

type (
	// Raise is <raise>.
	Raise struct {
		execPos
		Event string
	}

	// If is <if> with its <elseif> and <else>.
	If struct {
		execPos
		Branches []Branch
	}
	// Branch is one partition of an [If]; Cond is nil for <else>.
	Branch struct {
		Pos  datamodel.Position
		Cond *datamodel.Source
		Body []Exec
	}

	// Foreach is <foreach>.
	Foreach struct {
		execPos
		Array             *datamodel.Source
		Item, Index       string // Index is "" without one
		ItemPos, IndexPos datamodel.Position
		Body              []Exec
	}

	// Log is <log>.
	Log struct {
		execPos
		Label string
		Expr  *datamodel.Source // nil without one
	}

	// Assign is <assign>. At most one of Expr and Content is set.
	Assign struct {
		execPos
		Location *datamodel.Source
		Expr     *datamodel.Source
		Content  *datamodel.Source
	}

	// Script is <script>. If it has src, Code is the contents of that file.
	Script struct {
		execPos
		Src  string
		Code datamodel.Source
	}

	// Send is <send>. Of each pair of a literal and an expression at most one is set.
	Send struct {
		execPos
		Event, Target, Type, ID, Delay  string
		EventExpr, TargetExpr, TypeExpr *datamodel.Source
		IDLocation, DelayExpr           *datamodel.Source
		Namelist                        []*datamodel.Source // kind Location
		Params                          []*Param
		Content                         *Content
		TargetPos, DelayPos             datamodel.Position // of Target and Delay
		Retry                           *Retry
	}

	// Cancel is <cancel>.
	Cancel struct {
		execPos
		SendID string
		Expr   *datamodel.Source
	}

	// Foreign is an element of another namespace among executable content.
	Foreign struct {
		execPos
		Name xml.Name
		Node *datamodel.Node
	}
)

// An Invoke is an <invoke>. Of each pair of a literal and an expression at most one is set.
type Invoke struct {
	Pos               datamodel.Position
	State             *State
	Type, Src, ID     string
	TypeExpr, SrcExpr *datamodel.Source
	IDLocation        *datamodel.Source
	Namelist          []*datamodel.Source
	Params            []*Param
	Content           *Content
	Autoforward       bool
	Finalize          *Block // nil without one; an empty Body differs from nil
	Retry             *Retry
}
