package main

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

// TestTicker: in a synctest bubble, Run uses fake time.
func TestTicker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		began := time.Now()
		if err := run(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		want := "held: true\nreacts to: [go]\nheld: false\nfinal lift-off\n"
		if out.String() != want {
			t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
		}
		if d := time.Since(began); d != 350*time.Millisecond {
			t.Errorf("it took %v, want 350ms", d)
		}
	})
}
