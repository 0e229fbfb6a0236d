// Package diagram draws charts.
//
// [New] makes a [Diagram] of a chart: its states as nested nodes and its transitions as edges, with
// the texts that a picture shows of them, shortened and whole. All pictures are made of it, and so
// can those of other programs. [Diagram.Layout] finds places for the nodes and edges, and
// [Layout.WriteSVG] writes a picture:
//
//	layout, err := diagram.New(chart).Layout(ctx)
//	…
//	err = layout.WriteSVG(w, diagram.SVGOptions{
//		Marks: map[string]diagram.Mark{"open": diagram.Active},
//	})
//
// [Diagram.Part] is the diagram of a part of a chart that is too large for a picture. The diagram of a
// document with errors, which [scxml.Sketch] reads, has these where they are; [Diagram.Marks] colours them.
//
// Package raster writes PNG, and package cells draws with characters. Both can be left out of a
// program. [Layout.Groups] has the shapes of a picture for what draws in another way.
//
// The same chart has the same layout, on all machines. States and transitions keep the order of the
// document where nothing speaks against it. A new name or text changes the order of nothing; it moves
// things only if it needs more or less room, which is given in steps of 24 pixels.
//
// # How it works
//
// Each container, that is a state with child states, has a layered layout of its own, after Sugiyama:
// the arcs in it lead downwards, except those that lead back; each long arc has a vertex in each layer that
// it passes; the order in the layers is one with few crossings; then come the places. Labels are vertices
// too, so that no text lies on anything else. An edge that crosses the border of a container has a port
// there and consists of an arc in each container that it passes.
//
// The layers are found from the outside in, because the outside decides whether an edge enters a container
// from above or from below. The places are found from the inside out, because the outside needs the
// sizes and ports of the containers in it.
package diagram
