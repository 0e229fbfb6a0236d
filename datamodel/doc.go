// Package datamodel defines what the engine and its data models share: neutral data, events,
// positions, and the interfaces between the two.
//
// # Data
//
// A [Value] is a piece of data that belongs to no script engine. All data that enters or leaves a
// session is one: data of events, initial data, log entries. [From] makes a Value of any Go data,
// and [Decode] stores a Value in Go variables:
//
//	v, err := datamodel.From(Tap{X: 3, Y: 4})
//	var tap Tap
//	err = datamodel.Decode(v, &tap)
//
// Undefined (nil) and null ([Null]) differ, as they do for scripts, and objects keep the order of
// their keys. Values are trees. They must not be changed once they have been passed on, so they can
// be shared.
//
// [AppendJSON] and [ParseJSON] write and read Values without loss, [Text] writes them for people,
// [Equal] compares them. A [Node] is XML; [ParseXML] reads it, and its method XML writes it.
//
// # Data models
//
// A [Language] compiles the expressions of a chart; a [Store] holds the data of one session and
// evaluates them. The packages datamodel/ecmascript and datamodel/null implement both, and so can
// other packages. An expression that fails returns an [EvalError] with its [Position] in the
// document.
package datamodel
