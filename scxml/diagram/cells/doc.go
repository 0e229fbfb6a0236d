// Package cells draws charts in characters.
//
//	fmt.Print(cells.Tree(diagram.New(chart), cells.Options{}))
//
// [Tree] draws a chart as a tree, a line for a state and one for each thing that it does. [Boxes] draws
// it as boxes in boxes, as wide as there is room. Both return a [Grid], which knows what each of its
// characters belongs to, so that a program can colour it and find what a mouse points at.
package cells
