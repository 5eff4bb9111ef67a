module adapter

go 1.19

require seamcheck v0.0.0

replace seamcheck => ./seamcheck
