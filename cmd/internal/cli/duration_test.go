package cli

import (
	"testing"
	"time"
)

func TestDuration(t *testing.T) {
	const day = 24 * time.Hour
	for text, want := range map[string]time.Duration{
		"30d": 30 * day, "1d12h": day + 12*time.Hour, "90m": 90 * time.Minute, "0": 0, "0d": 0, "65535d": 65535 * day,
		"": -1, "d": -1, "30": -1, "-1d": -1, "1d-1h": -1, "-1h": -1, "1.5d": -1, "1d1d": -1, "65536d": -1, "65535d2000000h": -1, "30 d": -1,
	} {
		got, err := Duration(text)
		if (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("Duration(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
}
