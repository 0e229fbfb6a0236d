package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/durable"
	"github.com/scxmlrun/scxmlrun/scxml"
)

// TimerChoices are the values of --timers.
var TimerChoices = []string{"due", "remaining", "anew"}

// timerPolicy returns the policy of --timers.
func (o *Options) timerPolicy() scxml.TimerPolicy {
	switch o.Timers {
	case "remaining":
		return scxml.KeepRemaining
	case "anew":
		return scxml.StartAnew
	}
	return scxml.KeepDue
}

// maxSnapshot is the maximum size of a file of --load.
const maxSnapshot = 1 << 30

// loadSnapshot reads the file of --load; nil without one.
func (o *Options) loadSnapshot() ([]byte, error) {
	if o.Load == "" {
		if o.Timers != TimerChoices[0] {
			return nil, cli.Usagef("--timers needs a saved session: add --load FILE")
		}
		return nil, nil
	}
	if len(o.Data) > 0 || o.SeedGiven {
		return nil, cli.Usagef("--load: data and seed come from the saved session; leave out --data and --seed")
	}
	snapshot, err := cli.Read(o.Load, maxSnapshot)
	if err != nil {
		return nil, cli.Usagef("--load: cannot read %q: %v", o.Load, cli.Plain(err))
	}
	return snapshot, nil
}

// isSavedGame reports whether the content of the file of --load is a saved Sudoku, which the
// board reads too, and not a snapshot.
func isSavedGame(content []byte) bool {
	var snapshot struct{ Format string }
	err := json.Unmarshal(content, &snapshot)
	return content != nil && snapshot.Format == "" && (err == nil || !bytes.HasPrefix(content, []byte(`{"format":`)))
}

// sessionError says why the session cannot be created: the flags are wrong, or the file
// of --load is.
func (o *Options) sessionError(err error) error {
	if o.Load == "" {
		return &cli.Error{Status: cli.Usage, Err: err}
	}
	if why := errors.Unwrap(err); why != nil { // without the name of the function
		err = why
	}
	return &cli.Error{Status: cli.Usage, Err: fmt.Errorf("--load %s: %w", o.Load, err)}
}

// privateMode is the mode of a new file of --save, because the data of a session may be
// private.
const privateMode = 0o600

// writeSnapshot writes a snapshot to the file of --save. Whatever happens, the file is
// the old one or the new one.
func (o *Options) writeSnapshot(snapshot []byte) error {
	return cli.Plain(durable.Write(o.Save, append(snapshot, '\n'), privateMode))
}

// saveError says why the session was not saved; nil if it was.
func (o *Options) saveError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("--save: cannot write %q: %w", o.Save, err)
}

// checkSave reports a file of --save that cannot be written before the run, and not after
// an hour of play.
func (o *Options) checkSave(chart string) error {
	if o.Save == "" {
		return nil
	}
	if err := cli.CheckOut("--save", o.Save, chart, o.Record); err != nil {
		return err
	}
	f, err := durable.Replace(o.Save, privateMode)
	if err != nil {
		return cli.Usagef("--save: cannot write %q: %v", o.Save, cli.Plain(err))
	}
	f.Discard()
	return nil
}
