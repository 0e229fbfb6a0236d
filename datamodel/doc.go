// Package datamodel is what the engine and its data models have in common:
// neutral data, events, positions, and the interfaces between the two.
//
// # Data
//
// A [Value] is a piece of data that belongs to no script engine. Whatever
// crosses the border of a session is one: data of events, initial data, what is
// logged. [From] makes a Value of any Go data, and [Decode] puts a Value into Go
// variables:
//
//	v, err := datamodel.From(Tap{X: 3, Y: 4})
//	var tap Tap
//	err = datamodel.Decode(v, &tap)
//
// Undefined (nil) and null ([Null]) differ, as they do for scripts, and objects
// keep the order of their keys. Values are trees and are never changed once
// they have been handed over; so they may be shared.
//
// [AppendJSON] and [ParseJSON] write and read Values without loss, [Text]
// writes them for people, [Equal] compares them. A [Node] is XML; [ParseXML]
// reads it, and its method XML writes it.
//
// # Data models
//
// A [Language] compiles the expressions of a chart, a [Store] holds the data of
// one session and evaluates them. They come from the packages
// datamodel/ecmascript and datamodel/null, or from whoever writes another one.
// What goes wrong in an expression is an [EvalError], with the [Position] in
// the document.
package datamodel
