package bench

import "testing"

func TestTimesHaveThreeDigits(t *testing.T) {
	for ns, want := range map[float64]string{0: "0 ns", 1.25: "1.25 ns", 999.4: "999 ns", 999.6: "1 µs", 48_800: "48.8 µs", 999_700: "1 ms", 3e9: "3 s"} {
		if got := nsText(ns); got != want {
			t.Errorf("%v ns: %s, want %s", ns, got, want)
		}
	}
}
