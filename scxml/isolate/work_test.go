package isolate_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// works are what the children of the tests do.
var works = []isolate.Work{
	{Name: "hash", Do: func(_ context.Context, j *isolate.Job) ([]byte, error) {
		chart, err := j.Chart()
		if err != nil {
			return nil, err
		}
		return []byte(chart.Hash()), nil
	}},
	{Name: "crash", Do: func(context.Context, *isolate.Job) ([]byte, error) { os.Exit(1); return nil, nil }},
	{Name: "read", Do: func(_ context.Context, j *isolate.Job) ([]byte, error) { // at once, on many goroutines
		texts := make([]string, 8)
		errs := make([]error, len(texts))
		var all sync.WaitGroup
		for i := range texts {
			all.Go(func() {
				text, err := fs.ReadFile(j.Files, fmt.Sprintf("%s%d", j.In, i))
				texts[i], errs[i] = string(text), err
			})
		}
		all.Wait()
		return []byte(strings.Join(texts, "")), errors.Join(errs...)
	}},
	{Name: "wait", Do: func(ctx context.Context, j *isolate.Job) ([]byte, error) {
		j.Say("waiting")
		<-ctx.Done()
		return nil, ctx.Err()
	}},
}

// A child does what Child was given, and what goes wrong has a name.
func TestWork(t *testing.T) {
	tenant, err := newPool(t, isolate.Config{}).Tenant(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tenant.Close()
	spec := isolate.Spec{Name: "c.scxml", Source: document(`<state id="s"/>`)}
	chart, err := scxml.Parse(spec.Name, spec.Source)
	if err != nil {
		t.Fatal(err)
	}
	if made, err := tenant.Work(t.Context(), "hash", spec, nil); err != nil || string(made) != chart.Hash() {
		t.Errorf("%q, %v; want %q", made, err, chart.Hash())
	}
	if _, err := tenant.Work(t.Context(), "other", spec, nil); err == nil || err.Error() != `Child was not given a Work "other"` {
		t.Errorf("a work that is not there: %v", err)
	}
	refused := new(scxml.DocumentError)
	if _, err := tenant.Work(t.Context(), "hash", isolate.Spec{Name: "bad.scxml", Source: []byte("<")}, nil); !errors.As(err, &refused) {
		t.Errorf("a document that is not one: %v", err)
	}
	died := new(isolate.Error)
	if _, err := tenant.Work(t.Context(), "crash", spec, nil); !errors.As(err, &died) {
		t.Errorf("a work that ends the child: %v", err)
	}
}

// A work gets input, and files from the host alone; it says how far it is, and ends when its caller does.
func TestJob(t *testing.T) {
	tenant, err := newPool(t, isolate.Config{}).Tenant(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tenant.Close()
	files, want := fstest.MapFS{}, ""
	for i := range 8 {
		text := strings.Repeat(string(rune('a'+i)), 1000)
		files[fmt.Sprintf("f%d", i)] = &fstest.MapFile{Data: []byte(text)}
		want += text
	}
	spec := isolate.Spec{Options: []scxml.ChartOption{scxml.WithLoader(files)}}
	if made, err := tenant.Work(t.Context(), "read", spec, []byte("f")); err != nil || string(made) != want {
		t.Errorf("got %.100q, %v; want %.100q", made, err, want)
	}
	if _, err := tenant.Work(t.Context(), "read", spec, []byte("../f")); err == nil {
		t.Error("files outside of the loader are read")
	}
	ctx, cancel := context.WithCancel(t.Context())
	var said []any
	_, err = tenant.Work(ctx, "wait", isolate.Spec{Records: func(r *record.Record) {
		said = append(said, r.Value)
		cancel()
	}}, nil)
	if !errors.Is(err, context.Canceled) || len(said) != 1 || said[0] != "waiting" {
		t.Errorf("got %v after it said %v; want that it waits, and is cancelled", err, said)
	}
	if tenant.Err() != nil {
		t.Errorf("the child has died: %v", tenant.Err())
	}
}
