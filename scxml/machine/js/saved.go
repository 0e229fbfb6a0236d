package js

// Form returns what an object is for what saves it: "array" or "object", or "" for everything else, such as a function, an
// error and an array with properties besides its items.
func (o *Object) Form() string {
	switch {
	case o.class == plain:
		return "object"
	case o.class == array && (o.more == nil || o.more.props == nil || len(o.more.props.names()) == 0):
		return "array"
	}
	return ""
}

// Parts calls f for the items of an array, or for the properties of an object in the order of loops. A hole is an item that
// is not there.
func (o *Object) Parts(f func(name string, v Value, hole bool)) {
	if o.class == array {
		for i, v := range o.values {
			f("", o.at(i), v.isHole())
		}
		return
	}
	for _, name := range o.names() {
		f(name, o.get(name), false)
	}
}

// Append adds an item to an array.
func (o *Object) Append(v Value) { o.values, o.kept = append(o.values, v), false }

// Allows reports whether an object can have a property of the name: not if all objects inherit one, such as
// constructor.
func Allows(name string) bool { return !inherited(name) }
