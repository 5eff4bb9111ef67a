module seamcheck

go 1.19
