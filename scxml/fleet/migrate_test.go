package fleet_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
)

func TestMigrationMovesAllOrNone(t *testing.T) {
	store := fleet.NewMemory()
	old := parse(t, "m", `<datamodel><data id="n" expr="1"/></datamodel><state id="a"><transition event="go" target="b"/></state>
		<state id="b"><transition event="go" target="c"/></state><state id="c"/>`)
	later := parse(t, "m", `<datamodel><data id="n" expr="1"/><data id="twice"/></datamodel><state id="a"><transition event="go" target="bee"/></state>
		<state id="bee"><transition event="go" target="done"/></state><final id="done"/>`)
	f := newFleet(t, store, fleet.Config{}, old)
	ctx := t.Context()
	for i, key := range []string{"a", "b", "c"} {
		if err := f.Create(ctx, key, fleet.CreateOptions{Data: map[string]any{"n": i}}); err != nil {
			t.Fatal(err)
		}
		for range i {
			if _, err := f.Do(ctx, key, ev("go", nil)); err != nil {
				t.Fatal(err)
			}
		}
	}
	g := newFleet(t, store, fleet.Config{}, later)
	var unknown *fleet.ChartError
	if _, err := g.Do(ctx, "a", ev("go", nil)); !errors.As(err, &unknown) {
		t.Errorf("Do with an unknown version: %v", err)
	}
	m := fleet.Migration{Chart: "m", States: map[string]string{"b": "bee"}, Script: "twice = 2 * n"}
	report, err := g.Migrate(ctx, m)
	if err != nil || report.Tried != 3 || report.Migrated != 0 || len(report.Unfit) != 1 || report.Unfit[0].Key != "c" {
		t.Errorf("%+v, %v", report, err)
	}
	if err := f.Delete(ctx, "c"); err != nil {
		t.Fatal(err)
	}
	m.Try = true
	if report, err = g.Migrate(ctx, m); err != nil || report.Tried != 2 || report.Migrated != 0 || report.Unfit != nil {
		t.Errorf("%+v, %v", report, err)
	}
	m.Try = false
	if report, err = g.Migrate(ctx, m); err != nil || report.Migrated != 2 {
		t.Errorf("%+v, %v", report, err)
	}
	if res, err := g.Do(ctx, "b", ev("go", nil)); err != nil || res.Status != "final" || res.Position != 2 {
		t.Errorf("%+v, %v", res, err)
	}
	if got := data(t, g, "b"); got != `{"n":1,"twice":2}` {
		t.Errorf("data %s", got)
	}
	if _, err := f.Do(ctx, "a", ev("go", nil)); !errors.As(err, &unknown) { // f has the session in its cache
		t.Errorf("Do in the old version: %v", err)
	}
}

// A migration concerns the sessions that it selects: by key, by prefix, and a share that is the same each
// time and grows.
func TestMigrationOfSome(t *testing.T) {
	old, later := parse(t, "m", `<state id="a"/>`), parse(t, "m", `<state id="a"/><state id="b"/>`)
	other := parse(t, "other", `<state id="a"/>`)
	f := newFleet(t, fleet.NewMemory(), fleet.Config{}, old, other)
	ctx := t.Context()
	create := func(key, chart string) {
		t.Helper()
		if err := f.Create(ctx, key, fleet.CreateOptions{Chart: chart}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 1000 {
		create(fmt.Sprint("x-", i), "m")
		create(fmt.Sprint("y-", i), "m")
	}
	create("x-other", "other")
	if err := f.Define(later); err != nil {
		t.Fatal(err)
	}
	moved := func(m fleet.Migration) int {
		t.Helper()
		m.Chart = "m"
		report, err := f.Migrate(ctx, m)
		if err != nil || report.Tried != report.Migrated && !m.Try {
			t.Fatalf("%+v: %+v, %v", m, report, err)
		}
		return report.Tried
	}
	for _, key := range []string{"nobody", "x-other"} {
		if report, err := f.Migrate(ctx, fleet.Migration{Chart: "m", Keys: []string{"x-1", key}}); !errors.Is(err, fleet.ErrNotFound) || report.Migrated > 0 {
			t.Errorf("with the key %q: %+v, %v", key, report, err)
		}
	}
	if n := moved(fleet.Migration{Keys: []string{"x-1", "x-2", "x-1", "y-1"}, Prefix: "x-"}); n != 2 {
		t.Errorf("%d of two keys with the prefix have moved", n)
	}
	one := moved(fleet.Migration{Prefix: "y-", Share: 0.01})
	if one < 3 || one > 25 {
		t.Errorf("1 %% of 1,000 sessions are %d", one)
	}
	if n := moved(fleet.Migration{Prefix: "y-", Share: 0.01}); n != 0 {
		t.Errorf("the same share has %d others", n)
	}
	ten := moved(fleet.Migration{Prefix: "y-", Share: 0.1, Try: true}) + one
	if ten < 60 || ten > 140 {
		t.Errorf("10 %% of 1,000 sessions are %d", ten)
	}
	if n := moved(fleet.Migration{Share: 1}); n != 2000-2-one {
		t.Errorf("the remaining ones are %d", n)
	}
}
