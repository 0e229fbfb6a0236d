package datamodel

import (
	"context"
	"errors"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel/internal/jsontext"
)

// A Kind says what a piece of source text is compiled for.
type Kind uint8

const (
	// Condition is a boolean expression: cond.
	Condition Kind = iota
	// ValueExpr is an expression: expr, eventexpr, delayexpr, array and the like.
	ValueExpr
	// Location is an expression that can be assigned to: location, idlocation, an entry of namelist.
	Location
	// Script is the content of <script>.
	Script
	// Content is inline content of <data>, <assign> or <content>, or the text of a file named by
	// src: JSON, XML or text (REC B.2.1).
	Content
)

// An Expr is a piece of source that a [Language] has compiled. It is immutable and may be shared
// between goroutines. A store of another Language returns an [EvalError] for it.
type Expr interface {
	// Source returns what was compiled.
	Source() Source
}

// A Language is a data model (REC 5 and appendix B). It is immutable and safe for concurrent use.
type Language interface {
	// Name is the value of the attribute datamodel that selects this language.
	Name() string

	// Compile compiles src. It always returns an Expr. A syntax error is returned for tools to
	// show, and is kept in the Expr, which returns it from every evaluation (REC 5.9).
	Compile(kind Kind, src Source) (Expr, error)

	// NewStore returns the data of a new session. It is called when the session first needs it, or
	// earlier, for a store that is only asked whether it is a [FuncDefiner].
	NewStore(host Host) (Store, error)
}

// A Host is what a store needs of its session. Its methods may be called only while a method of the
// store runs.
type Host interface {
	In(state string) bool         // whether the state of that id is active
	Name() string                 // attribute name of <scxml>, "" without one
	SessionID() string            // value of _sessionid
	IOProcessors() []IOProcessor  // value of _ioprocessors, in a fixed order
	Now() time.Time               // the present, on the session's clock
	Random() float64              // in [0, 1), from the session's seed
	ScriptTime() time.Duration    // wall-clock limit of one evaluation; 0: none
	MacrostepTime() time.Duration // the same for all that is evaluated between Begin and End; 0: none
	CallDepth() int               // limit of nested script calls
}

// An IOProcessor describes an entry of _ioprocessors.
type IOProcessor struct {
	Type     string // the key: a URI
	Location string // how others address the session through it
}

// A Store holds the data of one session. One goroutine at a time may use it.
//
// Every method that evaluates something returns an *[EvalError] on failure; the session turns it
// into error.execution. A store stays usable after an error. Values are passed as copies in neutral
// form, see [Value].
type Store interface {
	// Begin says that evaluations follow, which are to be interrupted when ctx is done, and End
	// that they are over for now. They bracket the work of one Start or Step and must cost next to
	// nothing.
	Begin(ctx context.Context)
	End()

	// Declare creates the data item id with the value undefined. It leaves an existing item alone.
	Declare(id string) error
	// Init evaluates value, of kind ValueExpr or Content, and makes it the value of the data item
	// id, without a copy.
	Init(id string, value Expr) error
	// Set makes v the value of the data item id.
	Set(id string, v Value) error

	// Condition evaluates an Expr of kind Condition.
	Condition(cond Expr) (bool, error)
	// Value evaluates an Expr of kind ValueExpr, Location or Content, and returns a copy.
	Value(expr Expr) (Value, error)
	// Assign evaluates value and assigns it to location, without a copy (REC 5.4).
	Assign(location, value Expr) error
	// AssignValue assigns v to location.
	AssignValue(location Expr, v Value) error
	// Run executes an Expr of kind Script.
	Run(script Expr) error
	// Foreach evaluates array and calls body for each item of a shallow copy of it, with item and,
	// unless it is "", index set. It declares both if necessary (REC 4.6), and stops when body
	// returns false.
	Foreach(array Expr, item, index string, body func() bool) error

	// SetEvent makes ev the value of _event. The caller does not change ev until the next call; a
	// store copies what it needs for longer.
	SetEvent(ev *Event)
}

// ErrNotPure is wrapped by the errors of [Prober.Probe] for conditions that are not shown to have no
// effect.
var ErrNotPure = errors.New("may have an effect")

// A Prober is a [Store] that can evaluate conditions without any effect.
type Prober interface {
	// Probe evaluates cond, of kind Condition, with ev as the value of _event, and leaves the store
	// as it was. exprs is the list that [Saver] describes, and has cond. If the condition has an
	// effect, or could have one that Probe cannot undo, the error wraps ErrNotPure and says why.
	// Otherwise Probe fails as Condition does.
	Probe(cond Expr, ev *Event, exprs []Expr) (bool, error)
}

// An EvalError says why the evaluation of an expression failed.
type EvalError struct {
	Pos   Position // where in the document, as exactly as is known
	Msg   string   // for example "ReferenceError: x is not defined"; charts see it in _event.data
	Stack []Frame  // script call stack, innermost first; may be empty
	Err   error    // the cause, if there is a Go one: a limit, a cancelled context, the error of a [Func]
}

// A Frame is one entry of a script call stack.
type Frame struct {
	Func string // "" for top-level code
	Pos  Position
}

// Error returns the message alone; the place is in Pos.
func (e *EvalError) Error() string { return e.Msg }

// Unwrap returns the cause, or nil.
func (e *EvalError) Unwrap() error { return e.Err }

// A Func is a function of the host that scripts can call.
type Func func(args []Value) (Value, error)

// A FuncDefiner is a [Store] of a language that has functions.
type FuncDefiner interface {
	// DefineFunc makes f callable under the given name. It is called before anything is declared.
	// An error of f is thrown to the script, which sees only its text; it is the Err of the
	// EvalError.
	DefineFunc(name string, f Func) error
}

// A Checker is a [Language] that can say more about a piece of source than whether it compiles. It
// is optional, and for tools; a session does not use it.
type Checker interface {
	// Check returns findings about src, and none for source that does not compile. It is safe for
	// concurrent use.
	Check(kind Kind, src Source) []Finding

	// Names returns the names that every chart can use without declaring them. The caller must not
	// change the list.
	Names() []string
}

// A Checked is an [Expr] of a [Checker] that returns what Check finds in its source, without compiling
// it again. It is optional.
type Checked interface {
	Expr
	Findings() []Finding
}

// A FindingKind says what a [Finding] is.
type FindingKind uint8

const (
	// Assignment is a part of an expression, outside of functions, that changes data. Text is that
	// part.
	Assignment FindingKind = iota
	// StatePredicate is a use of In() with a constant. Text is the id.
	StatePredicate
	// Reference is a use of a variable that src itself does not declare. Text is its name. A use
	// that allows for a missing variable is not reported: one with typeof, or inside a try with a
	// catch.
	Reference
	// Declaration is a variable that src declares for the whole chart, or creates by assigning to
	// it. Text is its name. A variable that src asks for with typeof counts too.
	Declaration
	// OpenDeclaration says that src may declare variables whose names its text does not show, as
	// eval can.
	OpenDeclaration
	// PlainText is content that is text, but looks as if it was meant as data. Text says why it is
	// not.
	PlainText
)

// A Finding is something that a [Checker] has found in a piece of source.
type Finding struct {
	Kind FindingKind
	Pos  Position
	Text string

	// These say more about a Reference.
	Note     string // what to write instead, for a name that is known from programs outside of charts
	Called   bool   // the variable is called, as a function
	Deferred bool   // it stands inside a function, which may be called later
}

// A Saver is a [Store] whose data can be saved and restored into another store, for another session
// of the same chart, possibly in another process.
//
// Neither runs code of the chart. Functions are not run but looked up: exprs is how saved data
// refers to places in the chart. It holds every Expr of the chart, of any kind, in the same order
// for Save and for Load, such as document order. A store may keep in an Expr what it learns about
// the list, so make one list per chart and reuse it.
type Saver interface {
	// Save returns the data as a JSON object: the same bytes for the same data. It is called
	// between macrosteps, and changes nothing. The error is a *[NotSerializableError] if some of
	// the data cannot be kept.
	Save(exprs []Expr) ([]byte, error)

	// Load makes what Save returned the data of this store. The store is new: DefineFunc has been
	// called as for the other store, SetEvent if the other session had an event, and nothing else.
	// Data items need not be declared again. Declare leaves existing items alone, and Init is for
	// items that late binding had not reached.
	//
	// Data that Save did not write is an error, whatever it contains. After an error the store must
	// not be used.
	Load(data []byte, exprs []Expr) error
}

// A Resetter is a [Saver] that goes from one state of its data to another many thousand times a
// second, as a search needs it. It is optional: other stores are saved, and a new one is loaded.
type Resetter interface {
	Saver

	// AppendState appends the data to dst, in any form. It changes nothing, and fails as Save does.
	AppendState(dst []byte, exprs []Expr) ([]byte, error)

	// Reset makes what AppendState has appended, for this store or another one of the same chart in
	// this process, the data of this store. Save then returns what it returned there. SetEvent has
	// been called with the event of the other store, or with nil if it had none. What the store held
	// is dropped, except for the functions given to DefineFunc. After an error the store must not be
	// used.
	Reset(state []byte, exprs []Expr) error

	// AppendKey is AppendState without the present event, which is over: stores with equal keys
	// evaluate everything to the same results when the next event has come, and have equal keys
	// again.
	AppendKey(dst []byte, exprs []Expr) ([]byte, error)
}

// ErrNotSerializable is the error that each [NotSerializableError] wraps.
var ErrNotSerializable = errors.New("not serializable")

// A NotSerializableError says what in the data of a session cannot be saved.
type NotSerializableError struct {
	// Path is the place as a script would write it: game.board[3].handler. Steps that no script can
	// write are described: cache.<key 2 of the map>.x.
	Path string
	// What describes the data: "a function that captures the variable \"n\"".
	What string
}

// Error returns path and cause.
func (e *NotSerializableError) Error() string { return e.Path + ": cannot save " + e.What }

// Unwrap returns [ErrNotSerializable].
func (e *NotSerializableError) Unwrap() error { return ErrNotSerializable }

// MaxDepth is how many levels of arrays, objects, elements, pointers and the like a piece of data
// may have. Deeper data is refused, and so is data that contains itself.
const MaxDepth = 500

// MaxBigInt is how many bits a BigInt in data may have: 78,913 decimal digits. Reading a longer one
// takes quadratic time. It is refused wherever data enters or leaves a session or is saved; scripts
// may compute larger ones.
const MaxBigInt = jsontext.MaxBigInt

// ErrScriptTime is the cause of an [EvalError] when a script ran longer than [Host].ScriptTime
// allows.
var ErrScriptTime = errors.New("script time limit exceeded")

// ErrMacrostepTime is the cause of an [EvalError] when the evaluations of one macrostep together
// take longer than [Host].MacrostepTime allows.
var ErrMacrostepTime = errors.New("script time limit of the macrostep exceeded")

// Unsupported is a [Store] without abilities: each method that evaluates or keeps something returns
// an [*EvalError]. A language with only some of the features of SCXML embeds it in its store and
// defines the rest.
type Unsupported struct {
	Language string // its name, for messages; may be empty
}

// unsupported returns the error about an expression, which may be nil.
func (u Unsupported) unsupported(what string, e Expr) error {
	err := &EvalError{Msg: "the data model has no " + what}
	if u.Language != "" {
		err.Msg = "the " + u.Language + " data model has no " + what
	}
	if e != nil {
		err.Pos = e.Source().Position(0)
	}
	return err
}

func (Unsupported) Begin(context.Context) {}
func (Unsupported) End()                  {}
func (Unsupported) SetEvent(*Event)       {}

func (u Unsupported) Declare(id string) error {
	return u.unsupported("data: cannot declare "+id, nil)
}
func (u Unsupported) Init(id string, value Expr) error {
	return u.unsupported("data: cannot declare "+id, value)
}
func (u Unsupported) Set(id string, _ Value) error {
	return u.unsupported("data: cannot set "+id, nil)
}
func (u Unsupported) Condition(cond Expr) (bool, error) {
	return false, u.unsupported("conditions", cond)
}
func (u Unsupported) Value(e Expr) (Value, error) { return nil, u.unsupported("value expressions", e) }
func (u Unsupported) Assign(location, _ Expr) error {
	return u.unsupported("location expressions", location)
}
func (u Unsupported) AssignValue(location Expr, _ Value) error {
	return u.unsupported("location expressions", location)
}
func (u Unsupported) Run(script Expr) error { return u.unsupported("scripts", script) }
func (u Unsupported) Foreach(array Expr, _, _ string, _ func() bool) error {
	return u.unsupported("value expressions", array)
}

var _ Store = Unsupported{}
