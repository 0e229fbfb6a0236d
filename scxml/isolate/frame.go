package isolate

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A frame is a message between parent and child: four bytes with the length of what follows, its
// kind, for some kinds a name that ends in a space, and a payload of JSON.
type frame struct {
	kind    byte
	name    string
	payload []byte
}

const (
	frameHello   = 'h' // child: hello, its first frame
	frameRequest = 'q' // parent: request, with the name of the method
	frameAnswer  = 'a' // child: answer to a request that drives
	frameAsync   = 'b' // child: answer to a request that does not wait for others, see [isAsync]
	frameRecord  = 'r' // child: a record in its JSON form
	frameCall    = 'c' // child: call of the host, with the name of the method
	frameReply   = 'p' // parent: reply to it
	frameNote    = 's' // child: note about a service, with the name of what has happened
)

// maxRequest bounds what a child reads from its parent, which it trusts.
const maxRequest = 1 << 30

// A conn reads and writes frames. Any goroutine may write; one reads.
type conn struct {
	in   *bufio.Reader
	most int // bytes of a frame that is read

	mu  sync.Mutex
	out *bufio.Writer
	buf []byte
}

func newConn(in io.Reader, out io.Writer, most int) *conn {
	return &conn{in: bufio.NewReaderSize(in, 16<<10), out: bufio.NewWriterSize(out, 16<<10), most: most}
}

// read returns the next frame. It never allocates much more than it was sent.
func (c *conn) read() (frame, error) {
	var head [5]byte
	if _, err := io.ReadFull(c.in, head[:]); err != nil {
		return frame{}, err
	}
	n := int64(binary.BigEndian.Uint32(head[:])) - 1
	if n < 0 || n > int64(c.most) {
		return frame{}, fmt.Errorf("a message has %d bytes: want at most %d", n, c.most)
	}
	f := frame{kind: head[4]}
	var err error
	if n <= 64<<10 {
		f.payload = make([]byte, n)
		_, err = io.ReadFull(c.in, f.payload)
	} else if f.payload, err = io.ReadAll(io.LimitReader(c.in, n)); err == nil && int64(len(f.payload)) < n {
		err = io.ErrUnexpectedEOF
	}
	switch f.kind {
	case frameRequest, frameCall, frameNote:
		name, payload, _ := bytes.Cut(f.payload, []byte{' '})
		f.name, f.payload = string(name[:min(len(name), 100)]), payload
	}
	return f, err
}

// write writes v as the payload of a frame. The name is "" for kinds without one. A record waits for
// the next frame of another kind.
func (c *conn) write(kind byte, name string, v any) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.buf = append(c.buf[:0], 0, 0, 0, 0, kind)
	if name != "" {
		c.buf = append(append(c.buf, name...), ' ')
	}
	if r, ok := v.(*record.Record); ok {
		c.buf = r.AppendJSON(c.buf)
	} else {
		payload, err := json.Marshal(v)
		if err != nil {
			return err
		}
		c.buf = append(c.buf, payload...)
	}
	if len(c.buf)-4 > maxRequest {
		return fmt.Errorf("a message has %d bytes: want at most %d", len(c.buf), maxRequest)
	}
	binary.BigEndian.PutUint32(c.buf, uint32(len(c.buf)-4))
	if _, err := c.out.Write(c.buf); err != nil || kind == frameRecord {
		return err
	}
	if cap(c.buf) > 1<<20 {
		c.buf = nil
	}
	return c.out.Flush()
}

// flush writes the records that wait for another frame.
func (c *conn) flush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.out.Flush() // the writer keeps its error
}
