package fast

import "github.com/dop251/goja"

// Items are the data items of a session. As long as they are all primitive
// values, and all that is evaluated is simple, they live here. That saves the
// runtime, most of what a session with a small chart costs, and makes reading
// one as quick as a look into a list of a few names. When a runtime is needed,
// it takes over the values, and only the names stay here.
type Items struct {
	Names  []string
	values []Operand
	index  map[string]int // of Names, nil while there are few
}

// indexFrom is the number of items from which on there is an index.
const indexFrom = 10

// find returns the index of a name, or -1.
func (l *Items) find(name string) int {
	if l.index != nil {
		if i, ok := l.index[name]; ok {
			return i
		}
		return -1
	}
	for i, n := range l.Names {
		if n == name {
			return i
		}
	}
	return -1
}

// Has reports whether there is an item of that name.
func (l *Items) Has(name string) bool { return l.find(name) >= 0 }

// Add adds a name, unless it is there, and returns its index.
func (l *Items) Add(name string) int {
	i := l.find(name)
	if i >= 0 {
		return i
	}
	i = len(l.Names)
	l.Names = append(l.Names, name)
	switch {
	case l.index != nil:
		l.index[name] = i
	case i+1 >= indexFrom:
		l.index = make(map[string]int, 2*indexFrom)
		for i, n := range l.Names {
			l.index[n] = i
		}
	}
	return i
}

// Value returns the value of the i-th item.
func (l *Items) Value(i int) *Operand { return &l.values[i] }

// Set makes v the value of the item id, which it declares if need be, if there is
// no need for a runtime.
func (e *Env) Set(id string, v Operand) bool {
	if e.VM != nil || !v.IsPrimitive() {
		return false
	}
	i := e.Items.Add(id)
	if i == len(e.Items.values) {
		e.Items.values = append(e.Items.values, Operand{})
	}
	e.Items.values[i] = v
	return true
}

// Take makes vm the runtime, and moves the values of the items there.
func (e *Env) Take(vm *goja.Runtime) error {
	e.VM = vm
	for i, id := range e.Items.Names {
		if err := vm.GlobalObject().DefineDataProperty(id, e.Items.values[i].Script(), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE); err != nil {
			return err
		}
	}
	e.Items.values = nil
	return nil
}
