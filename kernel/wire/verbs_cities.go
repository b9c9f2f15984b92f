package wire

import "metalab/kernel/reply"

// citiesVerb and routeVerb lead from a table of cities to the order in which to visit them.
var (
	citiesVerb = typed[CitiesRequest, reply.CitiesReply](Verb{
		Name: "cities", Group: "data",
		Doc: "read cities from a .csv or .tsv file, with columns of names, longitudes and latitudes, " +
			"or x and y; with to write them as an instance",
		Example: "cities towns.csv; cities orte.csv columns=name:Ort,longitude:Ost,latitude:Nord " +
			"to towns.csv; cities shops.csv unit=m to plan.tsp",
		Args: []Arg{
			{Name: "path", Kind: KindPath, Required: true, Place: true, Doc: "the .csv or .tsv file"},
			{
				Name: "columns", Kind: KindWord,
				Doc: "which columns hold what, where they are not called name, longitude and latitude " +
					"(or lon, lat, x, y): FIELD:COLUMN with commas between them",
			},
			{
				Name: "unit", Kind: KindWord,
				Choices: []Choice{
					{"km", "whole kilometres on the Earth (GEO)"},
					{"m", "whole metres on a plane, for places up to some hundred km apart (EUC_2D)"},
				},
				Doc: "of distances between longitudes and latitudes: km, which is the default, or m",
			},
			{
				Name: "to", Kind: KindPath, Word: "to",
				Doc: "a file to write: .csv keeps the names, .tsp is for other programs",
			},
			argForce,
		},
	})
	routeVerb = typed[RouteRequest, reply.RouteReply](Verb{
		Name: "route", Group: "look",
		Doc: "list the cities in the order of the best tour, with the ways between them; with to as a " +
			".csv file",
		Example: "route a; route a from=Bern; route a to route.csv",
		Args: []Arg{
			argRun,
			{
				Name: "from", Kind: KindWord,
				Doc: "where the tour begins: a city's name, or its number from 1 on",
			},
			{Name: "to", Kind: KindPath, Word: "to", Doc: "a .csv file to write"},
			argForce,
		},
	})
)

// CitiesRequest asks for the cities of a table.
type CitiesRequest struct {
	Path    string `json:"path"`
	Columns string `json:"columns,omitempty"`
	Unit    string `json:"unit,omitempty"`
	To      string `json:"to,omitempty"`
	Force   bool   `json:"force,omitempty"` // replace whatever file is there
}

// RouteRequest asks for the cities of the best tour in order.
type RouteRequest struct {
	Run   string `json:"run"`
	From  string `json:"from,omitempty"`
	To    string `json:"to,omitempty"`
	Force bool   `json:"force,omitempty"` // replace whatever file is there
}
