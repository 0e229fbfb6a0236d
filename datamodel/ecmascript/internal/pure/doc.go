// Package pure evaluates conditions that must not have an effect.
//
// What a property, a method or an operator does can be told from the values alone: data may hold
// functions, getters and objects with a valueOf, and any method of the library may be replaced. So
// a condition is rewritten: where the original reads, calls, converts or changes something, the
// rewritten code asks a [Watch], which looks at the values and refuses before anything happens.
// The functions of the chart that it calls are rewritten in the same way when they are called. Only
// local variables, and objects that were made during the evaluation, can be changed.
package pure
