# What R's MASS::lda and MASS::qda say of iris, wine and alphabet: the means of the classes, and the posterior
# probabilities of 20 rows of each. test_gaussian_peers.py reads it in lda_qda.csv, made by R 4.2.2 with MASS 7.3-58.2:
#
#   cd tests/estimators
#   Rscript lda_qda.R "$(python -c 'import sklearn.datasets as d; print(d.__path__[0])')/data" > lda_qda.csv
#
# Iris and wine are the tables that come with scikit-learn. Alphabet is invented, and drawn here and in the test alike.

library(MASS)

write_lines <- function(data, what, name, numbers) {
  cat(paste(data, what, name, apply(numbers, 1, function(row) {
    paste(formatC(row, digits = 11, format = "g", width = 1), collapse = ",")
  }), sep = ","), sep = "\n")
}

report <- function(data, x, y) {
  rows <- round(seq(1, nrow(x), length.out = 20))
  models <- list(lda = lda(x, y), qda = qda(x, y))
  write_lines(data, "mean", levels(y), models$lda$means)
  for (name in names(models)) {
    write_lines(data, name, rows - 1, predict(models[[name]], x[rows, ])$posterior)
  }
}

folder <- commandArgs(trailingOnly = TRUE)[1]
files <- c(iris = "iris.csv", wine = "wine_data.csv")
for (name in names(files)) {
  table <- read.csv(file.path(folder, files[name]), skip = 1, header = FALSE)
  report(name, as.matrix(table[-ncol(table)]), factor(table[[ncol(table)]]))
}

state <- 1
draw <- function(below) {
  state <<- (state * 16807) %% 2147483647
  state %% below
}
alphabet <- t(replicate(1500, {
  class <- draw(26)
  size <- draw(16)
  cell <- draw(16)
  cells <- sapply(0:15, function(column) {
    kept <- 1 + (class + column) %% 4
    cell <<- (kept * cell + (5 - kept) * draw(4 + (class * (column + 1)) %% 17)) %/% 5
    size + cell
  })
  c(class, cells)
}))
report("alphabet", alphabet[, -1], factor(LETTERS[alphabet[, 1] + 1]))
