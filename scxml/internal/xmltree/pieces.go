package xmltree

import (
	"io"
	"runtime"
	"strings"
	"sync"

	"github.com/beevik/etree"
)

// Most of the time for a large document is spent in etree. The scanner knows where the elements
// are, so several goroutines can parse a piece each: the children of one element are cut into
// pieces, and the rest of the document is the frame that they belong in. Put together, the result
// is the tree that etree would have made of the whole document.

// smallDocument is the size up to which that does not pay.
const smallDocument = 64 << 10

// A cut says how a document is read in pieces.
type cut struct {
	path []int // from the root to the element whose children are cut: the number of each element among its siblings
	at   []int // the offsets at which the pieces begin, each that of a start tag, then the offset of the end tag
}

// read has etree read src[from:to], the root element.
func (s *scanner) read(from, to int) (*etree.Element, error) {
	if to-from > smallDocument {
		if c, ok := s.cut(runtime.GOMAXPROCS(0)); ok {
			if root := s.readPieces(from, to, c); root != nil {
				return root, nil
			} // read the whole, so that the error is about that
		}
	}
	tree, err := s.readPiece(strings.NewReader(s.src[from:to]))
	if err != nil {
		return nil, err
	}
	return tree.Root(), nil
}

func (s *scanner) readPiece(r io.Reader) (*etree.Document, error) {
	tree := etree.NewDocument()
	tree.ReadSettings = etree.ReadSettings{PreserveDuplicateAttrs: true, MaxDepth: s.lim.Depth + 1}
	_, err := tree.ReadFrom(r)
	return tree, err
}

// readPieces reads the pieces concurrently and joins them. It returns nil if one of them cannot be
// read.
func (s *scanner) readPieces(from, to int, c cut) *etree.Element {
	pieces := make([]*etree.Document, len(c.at)-1)
	errs := make([]error, len(c.at))
	var wait sync.WaitGroup
	for i := range pieces {
		wait.Go(func() { pieces[i], errs[i] = s.readPiece(strings.NewReader(s.src[c.at[i]:c.at[i+1]])) })
	}
	last := c.at[len(c.at)-1]
	frame, err := s.readPiece(io.MultiReader(strings.NewReader(s.src[from:c.at[0]]), strings.NewReader(s.src[last:to])))
	wait.Wait()
	errs[len(pieces)] = err
	for _, err := range errs {
		if err != nil {
			return nil
		}
	}
	parent := frame.Root()
	for _, n := range c.path {
		parent = parent.ChildElements()[n]
	}
	for _, piece := range pieces {
		parent.Child = append(parent.Child, piece.Child...)
	}
	return frame.Root()
}

// cut goes down from the root to an element with many children, none of which is most of the
// document, and cuts its content into n pieces of about the same size.
func (s *scanner) cut(n int) (c cut, ok bool) {
	const deepest = 4
	parent := 0 // its mark
	for n > 1 && len(c.path) <= deepest {
		m := &s.marks[parent]
		from, to := int(m.from), int(m.end)
		size := (to - from) / n
		if m.selfClosed || size < smallDocument/n {
			return cut{}, false
		}
		c.at = c.at[:0]
		large, number := -1, 0 // a child that is too large to be in one piece
		for child := parent + 1; child < len(s.marks) && int(s.marks[child].start) < to; number++ {
			start := int(s.marks[child].start)
			if start-from >= size*(len(c.at)+1) && len(c.at) < n-1 {
				c.at = append(c.at, start)
			}
			next := child + 1
			if end := s.marks[child].end; !s.marks[child].selfClosed {
				for next < len(s.marks) && s.marks[next].start < end {
					next++
				}
				if int(end)-start > (to-from)/4*3 {
					large = child
					c.path = append(c.path, number)
					break
				}
			}
			child = next
		}
		if large < 0 {
			c.at = append(c.at, to)
			return c, len(c.at) > 1
		}
		parent = large
	}
	return cut{}, false
}
