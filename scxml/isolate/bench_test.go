package isolate_test

import (
	"context"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
)

const counter = `<datamodel><data id="n" expr="0"/></datamodel>
<state id="a"><transition event="t" target="b"><assign location="n" expr="n + 1"/></transition></state>
<state id="b"><transition event="t" target="a"><send event="out"><param name="n" expr="n"/></send></transition></state>`

var tick = scxml.Event{Name: "t", Data: map[string]any{"x": 1, "y": "abc"}}

// BenchmarkDo compares an event in process with one behind the wall.
func BenchmarkDo(b *testing.B) {
	ctx := context.Background()
	b.Run("process", func(b *testing.B) {
		chart, err := scxml.Parse("counter.scxml", document(counter))
		if err != nil {
			b.Fatal(err)
		}
		s, err := scxml.New(chart, scxml.WithClock(func() time.Time { return start }))
		if err == nil {
			err = s.Start(ctx)
		}
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.Do(ctx, start, tick); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("wall", func(b *testing.B) {
		s := begin(b, newPool(b, isolate.Config{}), isolate.Spec{Source: document(counter)})
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.Do(ctx, start, tick); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkNew compares making and starting a session, from its document, in process with the same
// in a child that is ready.
func BenchmarkNew(b *testing.B) {
	ctx := context.Background()
	b.Run("process", func(b *testing.B) {
		for b.Loop() {
			chart, err := scxml.Parse("counter.scxml", document(counter))
			if err != nil {
				b.Fatal(err)
			}
			s, err := scxml.New(chart)
			if err == nil {
				err = s.Start(ctx)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	place := func(b *testing.B, tenant *isolate.Tenant) *isolate.Session {
		s, err := tenant.New(ctx, isolate.Spec{Name: "counter.scxml", Source: document(counter)})
		if err == nil {
			err = s.Start(ctx)
		}
		if err != nil {
			b.Fatal(err)
		}
		return s
	}
	b.Run("child", func(b *testing.B) {
		pool := newPool(b, isolate.Config{Spare: 2})
		for b.Loop() {
			b.StopTimer()
			tenant := ready(b, pool)
			b.StartTimer()
			place(b, tenant)
			b.StopTimer()
			tenant.Close()
			b.StartTimer()
		}
	})
	b.Run("tenant", func(b *testing.B) {
		tenant := ready(b, newPool(b, isolate.Config{}))
		for b.Loop() {
			place(b, tenant).Close()
		}
	})
}

// ready returns a child that was started in advance.
func ready(b *testing.B, pool *isolate.Pool) *isolate.Tenant {
	tenant, err := pool.Tenant(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	return tenant
}

// BenchmarkStart measures the start of a child.
func BenchmarkStart(b *testing.B) {
	pool := newPool(b, isolate.Config{})
	for b.Loop() {
		tenant, err := pool.Tenant(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		tenant.Close()
	}
}
