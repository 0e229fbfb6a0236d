// Package doc turns an SCXML document into a checked document model: plain
// structs that stay close to the text, with the place of everything. What is
// not a legal chart is reported as diagnostics, all of them at once.
//
// The model holds source text only; expressions are compiled by the package
// that uses it.
package doc

import (
	"encoding/xml"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/xmltree"
)

// namespace is the XML namespace of SCXML.
const namespace = "http://www.w3.org/2005/07/scxml"

// A Document is one <scxml> element. In a Document without error diagnostics
// all references are resolved and every state set is legal. One with errors is
// for tools: it has what could be made of the text, and the fields called Open,
// Stray and Guesses say where it may be meant differently.
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
	// Hash is the SHA-256 of the source and of all files that it loads; nil for
	// a document that is a part of another, or was computed.
	Hash []byte
	// Refused holds the ids of what was passed over because of an error.
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
	Pos      datamodel.Position
	Parent   *State
	Children []*State // in document order, histories included

	// Initial is the transition that a compound state or <scxml> takes by
	// default: from its attribute initial (without content), its <initial>,
	// or, without either, to its first child in document order.
	Initial *Transition

	Deep        bool          // of a history
	Transitions []*Transition // of a history: exactly one, its default
	OnEntry     []*Block
	OnExit      []*Block
	Data        []*Data
	Invokes     []*Invoke
	Donedata    *Donedata

	// Stray states are in a wrong place. Their Parent is the nearest state around them.
	Stray bool
	// Open states hold an element that nothing could be made of: they may have
	// children and transitions that are not here.
	Open bool
}

// A Transition is a <transition>, or what <initial> or an attribute initial says.
type Transition struct {
	Pos      datamodel.Position
	Source   *State
	Index    int      // in document order among all <transition> elements, those of initial and history included; -1 for one without element
	Events   []string // descriptors as written, split at white space; nil: eventless
	Cond     *datamodel.Source
	Targets  []*State // nil: targetless
	Internal bool
	Body     []Exec

	// Stray transitions are in a wrong place, or say a second time what may
	// be said once. Their Source is the nearest state around them.
	Stray bool
	// Guesses are the states that unknown targets may mean, by their names, or
	// targets that cannot be entered together.
	Guesses []*State
	// Open transitions may lead anywhere: what is wrong with their targets says
	// nothing of what is meant.
	Open bool
	// AnyEvent transitions may be for any event: they have a descriptor that is
	// illegal, or hardly what is meant.
	AnyEvent bool

	element *xmltree.Element // nil for one without element
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
	Expr    *datamodel.Source
	Content *datamodel.Source // inline content, or what was loaded from Src
	Src     string
	LoadErr error // why Src cannot be loaded: error.execution when the item is initialised (REC 5.3)
	State   *State
}

// A Donedata is a <donedata>: params or content.
type Donedata struct {
	Pos     datamodel.Position
	Params  []*Param
	Content *Content
}

// A Param is a <param>. Exactly one of Expr and Location is set, unless the
// document gives neither: then the value is undefined.
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

	scxml *xmltree.Element // of Inline, if that is one <scxml> element
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
		Array       *datamodel.Source
		Item, Index string // Index is "" without one
		Body        []Exec
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

	// Script is <script>, with the text that was loaded if it has src.
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
		TargetPos                       datamodel.Position // of Target
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
}
