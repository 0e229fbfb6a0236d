package fault

import (
	"slices"
	"testing"
)

func thrower(f func()) (path string) {
	defer func() {
		if recover() != nil {
			path = Thrower()
		}
	}()
	f()
	return ""
}

func TestThrowerIsTheInnermostThatIsNotStandard(t *testing.T) {
	const here = "github.com/scxmlrun/scxmlrun/scxml/fleet/internal/fault"
	var none []int
	var nothing *struct{ n int }
	for name, f := range map[string]func(){
		"panic":     func() { panic("x") },
		"index":     func() { none[len(none)]++ },
		"nil":       func() { nothing.n++ },
		"standard":  func() { _ = slices.Delete([]int{1}, 1, 2) },
		"in a sort": func() { slices.SortFunc([]int{2, 1}, func(int, int) int { panic("x") }) },
		"thrown on": func() { defer func() { panic(recover()) }(); panic("x") },
	} {
		if got := thrower(f); got != here {
			t.Errorf("%s: thrown by %q", name, got)
		}
	}
	for function, want := range map[string]bool{"slices.Delete[...]": true, "net/http.Get": true, "main.main": false, "go.etcd.io/bbolt.(*Tx).init": false} {
		if got := isStandard(packageOf(function)); got != want {
			t.Errorf("%s is of the standard library: %v", function, got)
		}
	}
}
