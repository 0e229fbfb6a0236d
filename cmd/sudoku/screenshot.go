package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
)

const screenshotHelp = `Screenshot takes a picture of the screen with a program of the desktop, reads all
Sudokus in it and shows them, the clearest first. It says which program it used, or what
to install.

--window lets you choose a window with the mouse. --clipboard reads the picture in the
clipboard instead, where the desktop's own screenshot key has put one.

--json and the marks are those of "sudoku open".`

func newScreenshotCommand() *cobra.Command {
	o := screenshotOptions{system: runtime.GOOS}
	cmd := &cobra.Command{
		Use:   "screenshot",
		Short: "Read puzzles from the screen",
		Long:  screenshotHelp,
		Example: `  sudoku screenshot
  sudoku screenshot --window
  sudoku screenshot --clipboard --json`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := cli.Interruptible(cmd.Context(), nil, nil)
			defer cancel(nil)
			return o.run(ctx)
		},
	}
	cmd.Flags().BoolVar(&o.window, "window", false, "take one window, which the mouse chooses")
	cmd.Flags().BoolVar(&o.clipboard, "clipboard", false, "read the picture in the clipboard")
	cmd.Flags().BoolVar(&o.json, "json", false, "write JSON, one object per Sudoku")
	return cmd
}

type screenshotOptions struct {
	window, clipboard, json bool
	system                  string // runtime.GOOS
}

// A grabber is a program that takes a picture. FILE in an argument is the file to write; a program
// without it writes to standard output. In quotes it is a string of a script: of PowerShell in single
// ones, of AppleScript in double ones.
type grabber struct {
	system  string   // runtime.GOOS
	needs   string   // an environment variable that must be set, such as that of Wayland
	command []string // for the whole screen, or nil
	window  []string // for a window that the mouse chooses, or nil
}

// grabbers are tried in this order.
var grabbers = []grabber{
	{"linux", "WAYLAND_DISPLAY", []string{"grim", "FILE"}, nil},
	{"linux", "", []string{"spectacle", "-b", "-n", "-f", "-o", "FILE"}, []string{"spectacle", "-b", "-n", "-u", "-o", "FILE"}},
	{"linux", "", []string{"gnome-screenshot", "-f", "FILE"}, []string{"gnome-screenshot", "-a", "-f", "FILE"}},
	{"linux", "DISPLAY", []string{"maim", "FILE"}, []string{"maim", "-s", "FILE"}},
	{"linux", "DISPLAY", []string{"scrot", "-o", "FILE"}, []string{"scrot", "-s", "-o", "FILE"}},
	{"darwin", "", []string{"screencapture", "-x", "FILE"}, []string{"screencapture", "-x", "-w", "FILE"}},
	{"windows", "", []string{"powershell", "-NoProfile", "-Command", powershellScreen}, nil},
}

// clipboards are the programs that give the picture in the clipboard.
var clipboards = []grabber{
	{"linux", "WAYLAND_DISPLAY", []string{"wl-paste", "-t", "image/png"}, nil},
	{"linux", "DISPLAY", []string{"xclip", "-selection", "clipboard", "-t", "image/png", "-o"}, nil},
	{"darwin", "", []string{"osascript", "-e", appleClipboard}, nil},
	{"windows", "", []string{"powershell", "-NoProfile", "-STA", "-Command", powershellClipboard}, nil},
}

const (
	appleClipboard = `set f to open for access POSIX file "FILE" with write permission
write (the clipboard as «class PNGf») to f
close access f`
	powershellScreen = `Add-Type -AssemblyName System.Windows.Forms,System.Drawing; ` +
		`$r=[Windows.Forms.SystemInformation]::VirtualScreen; $b=New-Object Drawing.Bitmap $r.Width,$r.Height; ` +
		`[Drawing.Graphics]::FromImage($b).CopyFromScreen($r.Location,[Drawing.Point]::Empty,$r.Size); $b.Save('FILE')`
	powershellClipboard = `Add-Type -AssemblyName System.Windows.Forms,System.Drawing; ` +
		`$i=[Windows.Forms.Clipboard]::GetImage(); if(!$i){exit 1}; $i.Save('FILE')`
)

func (o *screenshotOptions) run(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "sudoku")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	picture, program, err := o.grab(ctx, filepath.Join(folder, "screen.png"))
	if err != nil {
		return stopped(err)
	}
	img, err := photo.Decode(ctx, bytes.NewReader(picture))
	var readings []*photo.Reading
	if err == nil {
		readings, err = photo.NewReader().ReadAll(ctx, img)
	}
	if err != nil {
		return stopped(refusedPicture(ctx, program, err))
	}
	for i, r := range readings {
		if err := showReading(program, r, nil, o.json, i > 0); err != nil {
			return err
		}
	}
	return nil
}

// grab returns the picture that the first program takes that is installed, and its name.
func (o *screenshotOptions) grab(ctx context.Context, file string) (picture []byte, program string, err error) {
	list, what := grabbers, "take a picture of the screen"
	switch {
	case o.clipboard && o.window:
		return nil, "", cli.Usagef("--clipboard and --window do not go together")
	case o.clipboard:
		list, what = clipboards, "read the clipboard"
	case o.window:
		what = "take a picture of a window"
	}
	var missing []string
	for _, g := range list {
		command := g.command
		if o.window {
			command = g.window
		}
		if g.system != o.system || command == nil || g.needs != "" && os.Getenv(g.needs) == "" {
			continue
		}
		if _, err := exec.LookPath(command[0]); err != nil {
			missing = append(missing, command[0])
			continue
		}
		if picture, err = runGrabber(ctx, command, file); err != nil && ctx.Err() == nil {
			err = failed("cannot %s: %w", what, err)
		}
		return picture, command[0], err
	}
	if len(missing) == 0 {
		return nil, "", failed("cannot %s: no program for it is known here; save a picture and use %q", what, "sudoku open")
	}
	return nil, "", failed("cannot %s: install %s, or save a picture and use %q", what, cli.List(missing, "or"), "sudoku open")
}

func failed(format string, args ...any) error {
	return &cli.Error{Status: cli.Failed, Err: fmt.Errorf(format, args...)}
}

// runGrabber runs a program that takes a picture.
func runGrabber(ctx context.Context, command []string, file string) ([]byte, error) {
	args := make([]string, len(command)-1)
	toFile := false
	place := strings.NewReplacer(`'FILE'`, "'"+strings.ReplaceAll(file, "'", "''")+"'", `"FILE"`, strconv.Quote(file), "FILE", file)
	for i, arg := range command[1:] {
		args[i] = place.Replace(arg)
		toFile = toFile || args[i] != arg
	}
	cmd := exec.CommandContext(ctx, command[0], args...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("%s: %s", command[0], cmp.Or(strings.TrimSpace(said.String()), err.Error()))
	}
	if !toFile {
		return out.Bytes(), nil
	}
	picture, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s did not write a picture", command[0])
	}
	return picture, err
}
