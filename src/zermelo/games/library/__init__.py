"""Finding games by name, plug-in or file, and reading and writing what people give: texts and scoresheets."""
