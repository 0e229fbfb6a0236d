package forms

import (
	"slices"
	"strings"
)

// Reads returns the paths of the properties in the data of an event that the code of the chart reads:
// order, price for _event.data.order.price. A computed property, such as an index, is "[]".
func (f *Forms) Reads(event string) (paths [][]string) {
	for _, p := range f.parts {
		if p.path != "" && (p.event == "" || event == p.event || strings.HasPrefix(event, p.event+".")) {
			paths = appendPath(paths, strings.Split(p.path, pathSeparator))
		}
	}
	return paths
}

// ReadsData is [Forms.Reads] for a data item. What the chart itself assigns is not among its paths.
func (f *Forms) ReadsData(id string) (paths [][]string) {
	for _, path := range f.data {
		if path[0] == id && len(path) > 1 && !f.assigned[key(path)] {
			paths = appendPath(paths, path[1:])
		}
	}
	return paths
}

func appendPath(paths [][]string, path []string) [][]string {
	if path[len(path)-1] == "length" { // of a text or a list
		path = path[:len(path)-1]
	}
	if len(path) == 0 || slices.ContainsFunc(paths, func(p []string) bool { return slices.Equal(p, path) }) {
		return paths
	}
	return append(paths, path)
}
