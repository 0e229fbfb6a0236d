// Package diagram draws charts.
//
// [New] makes a [Diagram] of a chart: its states as nested nodes and its transitions as edges, with
// the texts that a picture shows of them, shortened and whole. All pictures are made of it, and so
// can those of other programs.
package diagram
