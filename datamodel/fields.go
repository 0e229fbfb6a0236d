package datamodel

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A field is a field of a struct as data sees it.
type field struct {
	name      string
	index     []int
	tagged    bool // its name comes from a tag
	plain     bool // see isPlain
	omitEmpty bool
	omitZero  bool
}

// in returns the field of a struct. Where an embedded pointer on the way is nil, it makes what that
// points to, or returns the zero reflect.Value.
func (f *field) in(v reflect.Value, create bool) reflect.Value {
	for i, n := range f.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			switch {
			case !v.IsNil():
			case create:
				v.Set(reflect.New(v.Type().Elem()))
			default:
				return reflect.Value{}
			}
			v = v.Elem()
		}
		v = v.Field(n)
	}
	return v
}

// A structInfo is what From and Decode need to know of a struct type.
type structInfo struct {
	typeInfo
	fields []field
	byName map[string]int // exact names
	opaque bool           // it has fields, but none is exported
}

var structInfos sync.Map // reflect.Type → *structInfo

// fieldsOf returns the fields of the struct type t by the rules of encoding/json: exported fields,
// named by their tag json, with those of embedded structs unless a field nearer to the top has the
// same name.
func fieldsOf(t reflect.Type) *structInfo {
	if info, ok := structInfos.Load(t); ok {
		return info.(*structInfo)
	}
	info := &structInfo{typeInfo: findInfo(t), fields: dominant(collectFields(t))}
	info.opaque = t.NumField() > 0 && len(info.fields) == 0 && !slices.ContainsFunc(reflect.VisibleFields(t), func(f reflect.StructField) bool { return f.IsExported() })
	info.byName = make(map[string]int, len(info.fields))
	for i, f := range info.fields {
		info.byName[f.name] = i
	}
	actual, _ := structInfos.LoadOrStore(t, info)
	return actual.(*structInfo)
}

// FieldNames returns the names of the fields of the struct type t as [From] and [Decode] see them;
// nil if t is not a struct whose fields are data.
func FieldNames(t reflect.Type) []string {
	if t.Kind() != reflect.Struct || isLeaf(t) {
		return nil
	}
	var names []string
	for _, f := range fieldsOf(t).fields {
		names = append(names, f.name)
	}
	return names
}

// FieldOf returns the field of the struct type t that has the given one of its [FieldNames]. Its Index
// is that in t.
func FieldOf(t reflect.Type, name string) (field reflect.StructField, ok bool) {
	i, ok := fieldsOf(t).byName[name]
	if ok {
		index := fieldsOf(t).fields[i].index
		field = t.FieldByIndex(index)
		field.Index = slices.Clone(index)
	}
	return field, ok
}

// find returns the field for key: the one of that name, or else one whose name differs only in
// case, as encoding/json does.
func (s *structInfo) find(key string) *field {
	if i, ok := s.byName[key]; ok {
		return &s.fields[i]
	}
	for i := range s.fields {
		if strings.EqualFold(s.fields[i].name, key) {
			return &s.fields[i]
		}
	}
	return nil
}

// collectFields lists all candidates, level by level.
func collectFields(root reflect.Type) []field {
	type level struct {
		t     reflect.Type
		index []int
	}
	var all []field
	visited := map[reflect.Type]bool{}
	for next := []level{{root, nil}}; len(next) > 0; {
		current := next
		next = nil
		for _, l := range current {
			if visited[l.t] {
				continue
			}
			for i := range l.t.NumField() {
				sf := l.t.Field(i)
				inner := sf.Type
				if inner.Kind() == reflect.Pointer {
					inner = inner.Elem()
				}
				embedded := sf.Anonymous && inner.Kind() == reflect.Struct && !isLeaf(inner)
				if !sf.IsExported() && (!embedded || sf.Type.Kind() == reflect.Pointer) {
					continue // reflection cannot set it
				}
				tag := sf.Tag.Get("json")
				if tag == "-" {
					continue
				}
				name, options, _ := strings.Cut(tag, ",")
				index := append(slices.Clone(l.index), i)
				if embedded && name == "" {
					next = append(next, level{inner, index})
					continue
				}
				if !sf.IsExported() {
					continue
				}
				f := field{name: name, index: index, tagged: name != "", plain: isPlain(sf.Type)}
				if name == "" {
					f.name = sf.Name
				}
				for option := range strings.SplitSeq(options, ",") {
					f.omitEmpty = f.omitEmpty || option == "omitempty"
					f.omitZero = f.omitZero || option == "omitzero"
				}
				all = append(all, f)
			}
		}
		for _, l := range current {
			visited[l.t] = true
		}
	}
	return all
}

// dominant picks the field that counts for each name: the one nearest to the top, there a tagged
// one; two equal ones cancel. They are in the order of the source.
func dominant(all []field) []field {
	slices.SortStableFunc(all, func(a, b field) int {
		return cmp.Or(strings.Compare(a.name, b.name), len(a.index)-len(b.index), rank(a)-rank(b))
	})
	var out []field
	for i, f := range all {
		if i > 0 && all[i-1].name == f.name {
			continue
		}
		if i+1 < len(all) && all[i+1].name == f.name && len(all[i+1].index) == len(f.index) && all[i+1].tagged == f.tagged {
			continue
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b field) int { return slices.Compare(a.index, b.index) })
	return out
}

func rank(f field) int {
	if f.tagged {
		return 0
	}
	return 1
}
