// Package why explains what a session did, or did not do.
//
// [Event] says which transitions an event would enable and why the others are not: whose condition is false
// with which values, which one takes precedence, or that no active state reacts to it. [Data] finds the
// element that has given a data item its value, in a history.
package why
