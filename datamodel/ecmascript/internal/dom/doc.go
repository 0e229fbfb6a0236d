// Package dom shows XML values to scripts, as the part of the DOM that can be read.
//
// A [Window] makes the objects of one runtime. [Window.Document] makes the document of a
// [datamodel.Node] and all below it; [Of] returns the node of an object. Scripts can only change
// attributes: [Node.Export] returns a tree that has them.
package dom
