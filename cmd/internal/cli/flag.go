package cli

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// FlagError turns an error of the flag parser into one that says what to do.
func FlagError(cmd *cobra.Command, err error) error {
	path := cmd.CommandPath()
	if run, _, err := cmd.Find([]string{"run"}); err == nil && !cmd.HasParent() && run != cmd {
		path = run.CommandPath() // the root has its flags, too
	}
	hint := fmt.Sprintf("; run %q for the flags", path+" --help")
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		name := unknown.GetSpecifiedName()
		if letters := unknown.GetSpecifiedShortnames(); letters != "" {
			return Usagef("unknown flag -%s; flags begin with two dashes, as in --help%s", letters, hint)
		}
		if near := Nearest(name, names); near != "" {
			return Usagef("unknown flag --%s (did you mean --%s?)%s", name, near, hint)
		}
		return Usagef("unknown flag --%s%s", name, hint)
	}
	var missing *pflag.ValueRequiredError
	if errors.As(err, &missing) {
		value, usage := pflag.UnquoteUsage(missing.GetFlag())
		return Usagef("--%s needs a %s: %s%s", missing.GetFlag().Name, value, usage, hint)
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		why := invalid.Unwrap().Error()
		if number := (*strconv.NumError)(nil); errors.As(invalid, &number) {
			why = notOfType[invalid.GetFlag().Value.Type()]
		}
		return Usagef("--%s %s: %s%s", invalid.GetFlag().Name, invalid.GetValue(), why, hint)
	}
	return Usagef("%v%s", err, hint)
}

// notOfType says what to write if a value does not have the type of its flag.
var notOfType = map[string]string{
	"bool":    "write true or false",
	"float64": "write a number",
	"int":     "write a whole number",
	"int64":   "write a whole number",
	"uint64":  "write a whole number from 0 to 18446744073709551615",
}
