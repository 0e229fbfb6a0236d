// Package forms tells which events a user can send to a session now, and what their data may be. It is
// for front ends that know nothing about the chart:
//
//	f := forms.New(chart, files)
//	for _, ev := range f.Now(ctx, session) {
//		fmt.Println(ev.Name)
//		for _, field := range ev.Fields {
//			fmt.Println("  ", field.Name(), field.Kind, field.Values)
//		}
//	}
//
// The fields of the data of an event come from the code of the chart: _event.data.x in a condition is a
// field x, and what it is compared with there gives its values. The package follows the data through
// variables, properties and parameters of functions. What it does not understand is missing, so a front
// end should also let its user write data as JSON.
package forms
