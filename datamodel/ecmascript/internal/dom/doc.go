// Package dom shows XML values to scripts, as the part of the DOM that can be read.
//
// A [Window] makes the objects of one runtime. Its [Window.Document] stands for a
// [datamodel.Node] and all below it; [Of] leads back from an object. Of changes a
// script can make those of attributes: [Node.Export] returns a tree that has them.
package dom
