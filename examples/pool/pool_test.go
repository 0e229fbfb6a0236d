package main

import (
	"testing"
	"testing/synctest"
)

// Every sensor that falls silent is missed once, and at its time.
func TestMeasure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const sessions = 500
		f, err := measure(t.Context(), sessions, 3)
		if err != nil {
			t.Fatal(err)
		}
		if f.alarms != sessions || f.late != 0 || f.memory <= 0 {
			t.Errorf("got %+v, want %d alarms that are not late", f, sessions)
		}
	})
}
