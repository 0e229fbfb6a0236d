package datamodel

import "errors"

// A Saver is a [Store] whose data can be saved, and restored into another
// store, of another session of the same chart, in another process.
//
// No code of the chart runs for either. Functions are not run again but found
// again: exprs is how what is saved refers to places in the chart. It holds
// every Expr of the chart, of whatever kind, in an order that is the same for
// Save and for Load; document order will do. A store may keep in an Expr what it
// finds out about the list, so one list for each chart, made once, serves best.
type Saver interface {
	// Save returns the data as a JSON object: the same bytes for the same
	// data. It is called between macrosteps, and changes nothing. The error is
	// a *[NotSerializableError] if there is something that cannot be kept.
	Save(exprs []Expr) ([]byte, error)

	// Load makes what Save returned the data of this store, which is new:
	// DefineFunc has been called as for the other store, SetEvent if the other
	// session had an event at last, and nothing else. Data items need not be
	// declared again; Declare leaves those that are there alone, and Init is
	// for those that late binding had not reached.
	//
	// Data that Save did not write is an error, whatever it contains. After an
	// error the store is of no use any more.
	Load(data []byte, exprs []Expr) error
}

// ErrNotSerializable is what each [NotSerializableError] is.
var ErrNotSerializable = errors.New("not serializable")

// A NotSerializableError says what in the data of a session cannot be saved.
type NotSerializableError struct {
	// Path is where it is, as a script would write it: game.board[3].handler.
	// What no script can write stands in words: cache.<key 2 of the map>.x.
	Path string
	// What it is: "a function that captures the variable \"n\"".
	What string
}

// Error returns path and cause.
func (e *NotSerializableError) Error() string { return e.Path + ": cannot save " + e.What }

// Unwrap returns [ErrNotSerializable].
func (e *NotSerializableError) Unwrap() error { return ErrNotSerializable }
