package ecmascript

import "github.com/dop251/goja"

// The items of a store are its data items. As long as they are all primitive
// values, and all that is evaluated is simple, they live here. That saves the
// runtime, most of what a session with a small chart costs, and makes reading
// one as quick as a look into a list of a few names. When a runtime is needed,
// it takes over the values, and only the names stay here.
type items struct {
	names  []string
	values []operand
	index  map[string]int // of names, nil while there are few
}

// indexFrom is the number of items from which on there is an index.
const indexFrom = 10

// find returns the index of a name, or -1.
func (l *items) find(name string) int {
	if l.index != nil {
		if i, ok := l.index[name]; ok {
			return i
		}
		return -1
	}
	for i, n := range l.names {
		if n == name {
			return i
		}
	}
	return -1
}

// add adds a name that is not there and returns its index.
func (l *items) add(name string) int {
	i := len(l.names)
	l.names = append(l.names, name)
	switch {
	case l.index != nil:
		l.index[name] = i
	case i+1 >= indexFrom:
		l.index = make(map[string]int, 2*indexFrom)
		for i, n := range l.names {
			l.index[n] = i
		}
	}
	return i
}

// quickSet makes v the value of the data item id, which it declares if need be,
// if there is no need for a runtime.
func (st *store) quickSet(id string, v operand) bool {
	if st.realm != nil || !v.isPrimitive() || builtins()[id] {
		return false
	}
	i := st.items.find(id)
	if i < 0 {
		i = st.items.add(id)
		st.items.values = append(st.items.values, operand{})
	}
	st.items.values[i] = v
	return true
}

// takeItems moves the values of the data items into the new runtime.
func (st *store) takeItems() {
	for i, id := range st.items.names {
		must(st.vm.GlobalObject().DefineDataProperty(id, st.items.values[i].script(), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
	}
	st.items.values = nil
}
