package doc

// A slab allocates many values of one type at a time. A large document has hundreds of thousands
// of small values.
type slab[T any] struct {
	free []T
	size int
}

// list returns a slice that holds only v, with no capacity for more.
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

// place returns a pointer to a copy of v.
func (s *slab[T]) place(v T) *T { return &s.list(v)[0] }

// extend is like append, but allocates the first element of a nil list in the slab.
func (s *slab[T]) extend(list []T, v T) []T {
	if list == nil {
		return s.list(v)
	}
	return append(list, v)
}
