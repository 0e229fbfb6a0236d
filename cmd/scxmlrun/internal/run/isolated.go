package run

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/recording"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/wall"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/drive"
	"github.com/scxmlrun/scxmlrun/scxml/isolate"
)

// driveIsolated runs the session in a child process, which alone parses the document.
func (s *session) driveIsolated(ctx context.Context) (err error) {
	switch {
	case onBoard(s.UI), s.UI == "tui":
		return cli.Usagef("--ui %s reads the chart, and with --isolate only the child does; use --ui line or --ui json", s.UI)
	case s.HTTP != "":
		return cli.Usagef("--http does not go with --isolate: a child has no network")
	}
	ui := s.UI
	if ui == "auto" {
		ui = chooseUI(nil, s.file, s.Options)
	}
	if err := s.checkBoard(ui); err != nil {
		return err
	}
	limits, err := load.Limits(true, s.Limits)
	if err != nil {
		return err
	}
	source, folder, err := load.Read(s.file, limits)
	if err != nil {
		return err
	}
	pool, err := wall.Pool(s.Isolate, wall.Deadline(limits), 0)
	if err != nil {
		return err
	}
	defer pool.Close()
	spec := isolate.Spec{
		Name: filepath.ToSlash(s.file), Source: source, UserEvents: s.Strict,
		Options: []scxml.ChartOption{scxml.WithLoader(folder), scxml.WithLimits(limits)},
	}
	if s.Record != "" {
		if s.recording, err = recording.Create(s.Record, recording.Host{Limits: s.Limits, Strict: s.Strict, Bound: true}); err != nil {
			return err
		}
		defer s.endRecording(&err)
		spec.Recording, spec.Note = s.recording, s.recording.Note(s.file)
	}
	s.new = func(ctx context.Context, cfg drive.Config) (driver, error) {
		tenant, err := pool.Tenant(ctx)
		if err != nil {
			return nil, &cli.Error{Status: cli.Failed, Err: err}
		}
		d, err := tenant.Drive(ctx, spec, cfg)
		var refused *scxml.DocumentError
		var died *isolate.Error
		switch {
		case errors.As(err, &refused):
			return nil, load.Refuse(s.file, source, refused.Diagnostics)
		case errors.As(err, &died):
			return nil, &cli.Error{Status: cli.Failed, Err: err}
		case err != nil:
			return nil, s.sessionError(err)
		}
		chart := d.Chart()
		load.Print(s.file, source, chart.Warnings)
		return d, s.know(chart.Data, wall.StateIDs(chart), func(name string) bool { return wall.IsAtomic(chart, name) })
	}
	return s.drive(ctx, ui)
}
