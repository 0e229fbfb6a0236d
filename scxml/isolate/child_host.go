package isolate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// This file has what the child's sessions see of the host: functions, files and services.

// hostFunc returns a function of the host.
func (c *child) hostFunc(name string) func(...json.RawMessage) (json.RawMessage, error) {
	return func(args ...json.RawMessage) (json.RawMessage, error) {
		r := c.ask(call{Op: callFunc, Name: name, Args: args})
		if r.Err != "" {
			return nil, &hostError{r.Err, r.Number}
		}
		return r.Value, nil
	}
}

// hostFiles are the files of the host. Stat reads a file, which the next Open returns: only the
// host knows whether it may be opened.
type hostFiles struct {
	child  *child
	loaded func(name, text string) // hears of each file; or nil
	name   string                  // of the file that was read last
	file   *hostFile
	err    error
}

func (h *hostFiles) Stat(name string) (fs.FileInfo, error) {
	if r := h.child.ask(call{Op: callLoad, Name: name}); r.Err != "" {
		h.file, h.err = nil, &fileError{r.Err, r.Missing}
	} else {
		h.file, h.err = &hostFile{*bytes.NewReader(r.Data), fileInfo{path.Base(name), int64(len(r.Data))}}, nil
		if h.loaded != nil {
			h.loaded(name, string(r.Data))
		}
	}
	h.name = name
	if h.err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: h.err}
	}
	return h.file.info, nil
}

func (h *hostFiles) Open(name string) (fs.File, error) {
	if h.name != name {
		_, _ = h.Stat(name) // notes its error
	}
	file, err := h.file, h.err
	h.name, h.file, h.err = "", nil, nil
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return file, nil
}

// A fileError is an error of the host's loader.
type fileError struct {
	text    string
	missing bool
}

func (e *fileError) Error() string        { return e.text }
func (e *fileError) Is(target error) bool { return target == fs.ErrNotExist && e.missing }

// A hostFile is a file that was read.
type hostFile struct {
	bytes.Reader
	info fileInfo
}

func (f *hostFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *hostFile) Close() error               { return nil }

type fileInfo struct {
	name string
	size int64
}

func (i fileInfo) Name() string     { return i.name }
func (i fileInfo) Size() int64      { return i.size }
func (fileInfo) Mode() fs.FileMode  { return 0o444 }
func (fileInfo) ModTime() time.Time { return time.Time{} }
func (fileInfo) IsDir() bool        { return false }
func (fileInfo) Sys() any           { return nil }

// proxies run the services of a session, which are the host's.
type proxies struct {
	child   *child
	session int
}

// A proxy is a service in the child.
type proxy struct {
	*scxml.Invocation
	wait   chan struct{} // the host's service waits for an event
	cancel func()        // it has returned
	data   json.RawMessage
	err    error
}

// Invoke is an [scxml.Invoker]'s. The proxy works as long as the host's service does, and waits in
// Receive when that waits.
func (p *proxies) Invoke(ctx context.Context, inv *scxml.Invocation) (any, error) {
	c := p.child
	params, err := pack(inv.Params)
	if inv.Params == nil {
		params = nil
	}
	if err != nil {
		return nil, err
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &proxy{Invocation: inv, wait: make(chan struct{}, 1), cancel: cancel}
	c.mu.Lock()
	c.number++
	number := c.number
	c.services[number] = s
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.services, number)
		c.mu.Unlock()
	}()
	c.tell(frameNote, note{
		Op: noteInvoke, Service: number, Session: p.session, ID: inv.ID, Type: inv.Type, Src: inv.Src,
		Params: params, Content: packValue(inv.Content), Restored: inv.Restored,
	})
	for {
		select {
		case <-s.wait:
			if ev, err := inv.Receive(inner); err == nil {
				packed, err := packEvent(ev)
				if err != nil {
					return nil, err
				}
				c.tell(frameNote, note{Op: noteEvent, Service: number, Event: packed})
			}
		case <-inner.Done():
			if ctx.Err() != nil {
				c.tell(frameNote, note{Op: noteCancel, Service: number})
				return nil, ctx.Err()
			}
			return s.data, s.err
		}
	}
}

// heed carries out a note of the host.
func (c *child) heed(n *note) {
	c.mu.Lock()
	s := c.services[n.Service]
	c.mu.Unlock()
	switch {
	case s == nil: // it was cancelled
	case n.Op == noteWait:
		select {
		case s.wait <- struct{}{}:
		default:
		}
	case n.Op == noteDone:
		s.data = n.Data
		if n.Err != "" {
			s.err = &hostError{n.Err, n.Number}
		}
		s.cancel()
	default:
		c.die(fmt.Errorf("note %q is unknown", n.Op))
	}
}
