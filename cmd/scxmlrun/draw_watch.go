package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// watchEvery is how often --watch looks at the file.
const watchEvery = 200 * time.Millisecond

// drawAgain draws the chart, and again whenever its file or that of --coverage has changed. A document of
// which nothing can be read, or a file that is missing for a while, leaves the last picture as it is.
func (o *drawOptions) drawAgain(parent context.Context, format *drawFormat) error {
	ctx, cancel := cli.Interruptible(parent, nil, nil)
	defer cancel(nil)
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	var drawn [2]version
	for first := true; ; first = false {
		if now := [2]version{versionOf(o.name), versionOf(o.coverage)}; first || now != drawn {
			drawn = now
			picture, _, err := o.draw(ctx, format)
			if err == nil {
				err = writeOut(o.out, picture)
			}
			if err != nil {
				var failure *cli.Error
				if first && errors.As(err, &failure) && failure.Status == cli.Usage {
					return err
				}
				if !errors.As(err, &failure) || failure.Err != nil {
					fmt.Fprintln(os.Stderr, "scxmlrun:", cli.Visible(err.Error(), cli.KeepNewlines))
				}
			} else {
				fmt.Fprintf(os.Stderr, "scxmlrun: %s: drawn at %s\n", cli.Visible(o.out, cli.KeepNewlines), time.Now().Format(time.TimeOnly))
			}
		}
		select {
		case <-ctx.Done():
			return &cli.Error{Status: cli.Interrupted}
		case <-ticker.C:
		}
	}
}

// A version tells one content of a file from the next.
type version struct {
	size     int64
	modified time.Time
}

func versionOf(name string) version {
	info, err := os.Stat(name)
	if err != nil {
		return version{}
	}
	return version{info.Size(), info.ModTime()}
}
