package isolate

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// A Work is something that a child does besides running sessions, such as drawing a chart.
type Work struct {
	Name string
	// Do does the work. The context ends when that of [Tenant.Work] does. A child that takes longer than
	// [Config].Deadline is ended.
	Do func(context.Context, *Job) ([]byte, error)
}

// A Job is one request for a [Work], as its child sees it.
type Job struct {
	In    []byte // what Tenant.Work was given
	Files fs.FS  // those of WithLoader, which the host reads; nil without

	child *child
	doc   *document
}

// Chart compiles the document of the spec.
func (j *Job) Chart() (*scxml.Chart, error) { return j.child.chart(j.doc) }

// Say tells the host how far the work has come: [Spec].Records hears a record of kind Log with the text.
// Any goroutine may call it while the work is done.
func (j *Job) Say(text string) {
	j.child.tell(frameRecord, "", &record.Record{Kind: record.Log, Value: text})
	j.child.conn.flush() // if that fails, so does the answer
}

// Work lets the child do the [Work] of this name, which [Child] was given, with the spec and more input.
// Of the spec, the document, the options of the chart, and Records count. The result is the child's
// word: check it.
func (t *Tenant) Work(ctx context.Context, name string, spec Spec, in []byte) ([]byte, error) {
	s, p, err := t.prepare(spec, nil, nil)
	if err != nil {
		return nil, err
	}
	defer t.drop(s)
	s.tell = spec.Records
	return ask(ctx, s, doWork, working{p.Document, name, in})
}

type working struct {
	Document document
	Name     string
	In       []byte
}

var doWork = method[*hosted, working, []byte]{"work", func(ctx context.Context, h *hosted, in working) ([]byte, error) {
	works := h.child.works
	i := slices.IndexFunc(works, func(w Work) bool { return w.Name == in.Name })
	if i < 0 {
		return nil, fmt.Errorf("Child was not given a Work %q", in.Name)
	}
	boundMatches(in.Document.Limits)
	job := &Job{In: in.In, child: h.child, doc: &in.Document}
	if in.Document.Loader {
		job.Files = &sharedFiles{files: hostFiles{child: h.child}}
	}
	return works[i].Do(ctx, job)
}}

// sharedFiles are the files of the host for several goroutines, of which one at a time can ask for a file.
type sharedFiles struct {
	mu    sync.Mutex
	files hostFiles
}

func (s *sharedFiles) Open(name string) (fs.File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files.Open(name)
}

func (s *sharedFiles) Stat(name string) (fs.FileInfo, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files.Stat(name)
}
