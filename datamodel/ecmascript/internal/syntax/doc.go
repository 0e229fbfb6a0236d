// Package syntax reads the code of charts. It is the only package that parses, and that walks
// syntax trees.
//
// A text is parsed once, by [Limits.Script] or [Limits.Expression], and the [Tree] is kept:
// programs are compiled from it, and it answers questions about the code. [Facts] say what the code
// can do, [Tree.Findings] are for linters, and [Tree.Declarations] lists functions and what they
// capture, so that saved ones can be made again.
//
// Limits refuse texts for which goja would need too much of the Go stack, or too much time.
package syntax
