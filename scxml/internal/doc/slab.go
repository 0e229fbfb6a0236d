package doc

// A slab gives out places for values of one type, many of them from one
// allocation: a large document has hundreds of thousands of small things.
type slab[T any] struct {
	free []T
	size int
}

// list returns a list of v alone, which has no room for more.
func (s *slab[T]) list(v T) []T {
	if len(s.free) == 0 {
		s.size = min(max(8, 2*s.size), 1024)
		s.free = make([]T, s.size)
	}
	list := s.free[:1:1]
	list[0] = v
	s.free = s.free[1:]
	return list
}

// place returns a place for v.
func (s *slab[T]) place(v T) *T { return &s.list(v)[0] }

// extend is append, and begins a list in the slab.
func (s *slab[T]) extend(list []T, v T) []T {
	if list == nil {
		return s.list(v)
	}
	return append(list, v)
}
