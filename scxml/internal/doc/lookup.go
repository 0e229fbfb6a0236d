package doc

import "slices"

// ElementNames returns the names of SCXML's elements, sorted. The caller must not change the list.
func ElementNames() []string { return elementNames }

// Attributes returns the attributes that an element may have, the required ones first, and how many
// these are. The caller must not change the list.
func Attributes(element string) (all []string, required int) {
	r := &rules[tagByName[element]]
	all = slices.Clone(r.required)
	for _, name := range r.attrs {
		if !slices.Contains(r.required, name) {
			all = append(all, name)
		}
	}
	return all, len(r.required)
}

// ChildNames returns the names of the elements that are allowed in an element, sorted.
func ChildNames(element string) []string { return slices.Collect(childNames(tagByName[element])) }
