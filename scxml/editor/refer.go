package editor

// Definition returns where the name at an offset is defined. For the name of an event that is taken
// these are the places that send it, and for one that is sent, the transitions that take it. The
// value of an attribute src leads to that file.
func (d *Document) Definition(offset int) []Place { return nil }

// References returns all places with the name at an offset, in document order: those that define it
// are included if declaration is true.
func (d *Document) References(offset int, declaration bool) []Place { return nil }
