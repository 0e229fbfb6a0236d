package main

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
	"github.com/scxmlrun/scxmlrun/cmd/internal/file"
	"github.com/scxmlrun/scxmlrun/cmd/scxmlrun/internal/suite"
	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/explore"
)

// folderOf returns the folder of a chart, until the process ends; nil if it cannot be opened.
func folderOf(name string) fs.FS {
	folder, err := file.OpenFolder(filepath.Dir(name))
	if err != nil {
		return nil
	}
	return folder
}

// printSuggestion prints data for the events of a chart, a line for each.
func (o *exploreOptions) printSuggestion(ctx context.Context, chart *scxml.Chart, name string, opts explore.Options) error {
	var found *datamodel.Object
	err := o.search(ctx, &opts, func(ctx context.Context) (err error) {
		found, err = suite.Suggest(ctx, chart, folderOf(name), opts)
		return err
	})
	if err != nil {
		return err
	}
	var lines []string
	for event, spec := range found.All() {
		lines = append(lines, fmt.Sprintf("  %s: %s", datamodel.AppendJSON(nil, event), datamodel.AppendJSON(nil, spec)))
	}
	if lines == nil {
		return cli.Printed(fmt.Println("{}"))
	}
	return cli.Printed(fmt.Print(cli.Escape("{\n"+strings.Join(lines, ",\n")+"\n}\n", cli.InJSON)))
}
