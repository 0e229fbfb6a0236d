package serve

import (
	"context"
	"log/slog"
	"os"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/record"
)

// logger returns the log on standard error.
func (o *Options) logger() *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(o.LogLevel)) // one of the choices of the flag
	options := &slog.HandlerOptions{Level: level}
	if o.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(os.Stderr, options))
	}
	return slog.New(slog.NewTextHandler(os.Stderr, options))
}

// logger returns the log of the sessions of a chart.
func (c *charts) logger(chart string) *slog.Logger {
	log := c.log.With("chart", chart)
	if !c.options.LogData {
		log = slog.New(quiet{log.Handler()})
	}
	return log
}

// A quiet handler hears what sessions log, and passes it on without data: the values of <log>
// elements, and the messages of errors, which are texts of scripts.
type quiet struct{ slog.Handler }

func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	out := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	if r.Level >= slog.LevelWarn {
		out.Message = "error event"
	}
	r.Attrs(func(a slog.Attr) bool {
		if a.Key != "value" && a.Key != "panic" {
			out.AddAttrs(a)
		}
		return true
	})
	return q.Handler.Handle(ctx, out)
}

func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler { return quiet{q.Handler.WithAttrs(attrs)} }
func (q quiet) WithGroup(name string) slog.Handler       { return quiet{q.Handler.WithGroup(name)} }

// logged logs what a session in a child says.
func (d *walled) logged(r *record.Record) {
	switch r.Kind {
	case record.Log:
		d.log.Info("log", "label", r.Label, "value", datamodel.Text(r.Value), "session", r.Session)
	case record.Error:
		d.log.Warn(r.Message, "event", r.Event.Name, "at", r.At, "session", r.Session)
	}
}
