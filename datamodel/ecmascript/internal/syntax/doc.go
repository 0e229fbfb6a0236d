// Package syntax reads the code of charts. It is the one place that parses, and
// that walks through syntax trees.
//
// A text is parsed once, by [Limits.Script] or [Limits.Expression], and the [Tree]
// is kept: programs are compiled from it, and what there is to know of the code
// is asked of it. [Facts] say what the code can do; [Tree.Findings] what a linter
// wants to know; [Tree.Declarations] which functions stand in it and what they
// capture, so that saved ones can be made anew.
//
// Limits say which texts are refused because goja would need too much of the Go
// stack for them, or too much time.
package syntax
