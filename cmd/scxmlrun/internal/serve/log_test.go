package serve

import (
	"log/slog"
	"testing"
)

// The log has what is at least as important as the flag says, in both forms, and so has that of a chart.
func TestLogLevel(t *testing.T) {
	levels := map[string]slog.Level{"info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
	for name, least := range levels {
		for _, format := range []string{"text", "json"} {
			o := &Options{LogLevel: name, LogFormat: format}
			c := &charts{options: o, log: o.logger()}
			for _, level := range levels {
				for of, log := range map[string]*slog.Logger{"server": c.log, "chart": c.logger("c")} {
					if got := log.Enabled(t.Context(), level); got != (level >= least) {
						t.Errorf("--log-level %s, %s: %v of the %s is logged: %v", name, format, level, of, got)
					}
				}
			}
		}
	}
}
