package isolate

import (
	"bytes"
	"context"
	"encoding/json"

	"io/fs"
	"path"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/internal/eventjson"
)

// This file has what the child's sessions see of the host: functions, files and services.

// hostFunc returns a function of the host.
func (c *child) hostFunc(name string) func(...json.RawMessage) (datamodel.Value, error) {
	return func(args ...json.RawMessage) (datamodel.Value, error) {
		v, err := callHost(c, hostCall, calling{name, args})
		return v.V, err
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
	data, err := callHost(h.child, hostLoad, name)
	h.name, h.file, h.err = name, nil, err
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	h.file = &hostFile{*bytes.NewReader(data), fileInfo{path.Base(name), int64(len(data))}}
	if h.loaded != nil {
		h.loaded(name, string(data))
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
	result outcome
}

// Invoke is an [scxml.Invoker]'s. The proxy works as long as the host's service does, and waits in
// Receive when that waits.
func (p *proxies) Invoke(ctx context.Context, inv *scxml.Invocation) (any, error) {
	c := p.child
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &proxy{Invocation: inv, wait: make(chan struct{}, 1), cancel: cancel}
	number := int(c.number.Add(1))
	c.services.Store(number, s)
	defer c.services.Delete(number)
	service := scxml.Service{ID: inv.ID, Type: inv.Type, Src: inv.Src, Params: inv.Params, Content: inv.Content}
	c.tell(frameNote, noteInvoke, note{
		Service: number, Session: p.session, Task: &scxml.Task{Kind: scxml.TaskInvoke, Service: service}, Restored: inv.Restored,
	})
	for {
		select {
		case <-s.wait:
			if ev, err := inv.Receive(inner); err == nil {
				packed := eventjson.Of(ev)
				c.tell(frameNote, noteEvent, note{Service: number, Event: &packed})
			}
		case <-inner.Done():
			if ctx.Err() != nil {
				c.tell(frameNote, noteCancel, note{Service: number})
				return nil, ctx.Err()
			}
			result := c.outcome(&s.result)
			return result.Data, result.Err
		}
	}
}

// ofService returns a method of a service that is there.
func ofService[In any](op string, do func(s *proxy, c *child, in In) error) method[*hosted, In, none] {
	return method[*hosted, In, none]{op, func(_ context.Context, h *hosted, in In) (none, error) {
		s, ok := h.child.services.Load(h.number)
		if !ok { // it was cancelled
			return none{}, scxml.ErrEnded
		}
		return none{}, do(s.(*proxy), h.child, in)
	}}
}

// These requests do not wait for the one in progress. Their number is that of a service.
var (
	serviceSend = ofService("service-send", func(s *proxy, c *child, in *eventjson.Event) error {
		return s.Send(c.event(in))
	})
	serviceWait = ofService("service-wait", func(s *proxy, _ *child, _ none) error {
		select {
		case s.wait <- struct{}{}:
		default:
		}
		return nil
	})
	serviceDone = ofService("service-done", func(s *proxy, _ *child, result outcome) error {
		s.result = result
		s.cancel()
		return nil
	})
)
