package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/document"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/load"
	"github.com/scxmlrun/scxmlrun/scxml"
)

const docHelp = `Doc writes a page about a chart: a picture, the events that it takes and sends
with their data, its states, data with their types and services, its limits, and
what check says about it. The comments of the document explain them: those
directly before an element, and those after it on its line.

A page is one file without scripts, which loads nothing. A page in Markdown has
a tree in place of the picture; with --picture FILE the picture is in a file of
its own, as SVG, and the page shows it.

Doc reads the chart and does not run it. The same chart gives the same page. One
with errors is described as far as it can be read; what is wrong is marked.
A page has a picture of at most 1,000 states, and there is none of a chart with
more than 20,000: scxmlrun draw shows a part of it.

Exit status:
  0    the page was written
  1    the page could not be written
  2    wrong usage
  3    the document has errors (diagnostics on standard error): the page shows what
       could be read, and there is none if that is nothing
  130  it was interrupted`

const docExample = `  scxmlrun doc lamp.scxml -o lamp.html
  scxmlrun doc lamp.scxml -o lamp.md --picture lamp.svg`

// newDocCommand returns the command that documents charts.
func newDocCommand() *cobra.Command {
	var out, picture string
	format := cli.Choice{All: []string{"html", "markdown"}}
	cmd := &cobra.Command{
		Use:     "doc FILE",
		Short:   "Write a page about a chart",
		Long:    docHelp,
		Example: docExample,
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			if format.Value == "" {
				switch ext := filepath.Ext(out); ext {
				case ".md", ".markdown":
					format.Value = "markdown"
				case "", ".html", ".htm":
				default:
					return cli.Usagef("cannot write %q: a page is HTML (.html) or Markdown (.md); use --format html or --format markdown for another ending", out)
				}
			}
			if picture != "" && format.Value != "markdown" {
				return cli.Usagef("--picture is for pages in Markdown: a page in HTML has the picture in it")
			}
			return writeDoc(cmd.Context(), args[0], out, picture, format.Value == "markdown")
		},
		ValidArgsFunction: completeChart,
	}
	format.Flag(cmd, "format", "html or markdown; unless given, the ending of the output tells")
	cmd.Flags().StringVarP(&out, "out", "o", "", "write to `FILE` instead of standard output")
	cmd.Flags().StringVar(&picture, "picture", "", "write the picture to `FILE`, for a page in Markdown")
	return cmd
}

func writeDoc(parent context.Context, name, out, picture string, markdown bool) error {
	if err := cmp.Or(cli.CheckOut("-o", out, name), cli.CheckOut("--picture", picture, name, out)); err != nil {
		return err
	}
	var page, drawn []byte
	var refused error
	err := cli.Stoppable(parent, func(context.Context) (err error) {
		page, drawn, refused, err = makeDoc(name, out, picture, markdown)
		return err
	})
	if err == nil && picture != "" {
		err = writeOut(picture, drawn)
	}
	if err != nil {
		return err
	}
	return cmp.Or(writeOut(out, page), refused)
}

// makeDoc returns the page about a chart, and the picture for one in Markdown. If the document has errors, they
// show what could be read, and refused is the error to end with.
func makeDoc(name, out, picture string, markdown bool) (page, drawn []byte, refused, err error) {
	source, folder, err := load.Read(name, scxml.Limits{})
	if err != nil {
		return nil, nil, nil, err
	}
	if err := documentable(name, load.CountStates(source)); err != nil {
		return nil, nil, nil, err
	}
	chart, refused, err := load.Sketch(name, source, folder)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := documentable(name, len(chart.States())-1); err != nil {
		return nil, nil, nil, err
	}
	defer cli.Working("documenting " + name)()
	about := document.New(chart, folder)
	write := about.WriteHTML
	if markdown {
		shown := filepath.ToSlash(picture)
		if rel, err := filepath.Rel(filepath.Dir(out), picture); err == nil && picture != "" {
			shown = filepath.ToSlash(rel)
		}
		write = func(w io.Writer) error { return about.WriteMarkdown(w, shown) }
	}
	if picture != "" {
		if drawn, err = written(about.WritePicture); err != nil {
			return nil, nil, nil, fmt.Errorf("cannot draw %q: %w; leave out --picture", name, err)
		}
	}
	page, err = written(write)
	return page, drawn, refused, err
}

// documentable returns an error if a chart has too many states for a page.
func documentable(name string, states int) error {
	if states <= document.MaxStates {
		return nil
	}
	return &cli.Error{Status: cli.Failed, Err: fmt.Errorf(
		"cannot document %q: it has %d states: a page has at most %d; look at a part of it with scxmlrun draw --state ID, or with --depth N", name, states, document.MaxStates)}
}

// written returns what write writes.
func written(write func(io.Writer) error) ([]byte, error) {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return nil, err
	}
	return []byte(cli.Escape(b.String(), cli.InXML)), nil
}
